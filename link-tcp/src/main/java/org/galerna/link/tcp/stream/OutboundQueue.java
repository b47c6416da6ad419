package org.galerna.link.tcp.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.tcp.wire.Frames;
import org.jspecify.annotations.Nullable;

/** What waits to be written beside the frames of the rank: frames of the link's own, and transfers. Safe for many threads. */
public final class OutboundQueue {
    private final Deque<byte[]> controls = new ArrayDeque<>(); // guarded by this, as the next one
    private final Deque<OutgoingTransfer> transfers = new ArrayDeque<>();

    /** Adds a frame of the link's own. */
    void add(int type, long... words) {
        ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER_BYTES + words.length * Long.BYTES)
                .order(LITTLE_ENDIAN)
                .putLong(Frames.header(type, words.length * Long.BYTES));
        for (long word : words) {
            frame.putLong(word);
        }
        synchronized (this) {
            controls.add(frame.array());
        }
    }

    synchronized void add(OutgoingTransfer transfer) {
        transfers.add(transfer);
    }

    /** Moves as many frames of the link's own to a buffer as it has room for; false if there is none. */
    synchronized boolean drainControls(ByteBuffer buffer) {
        boolean any = false;
        byte[] frame;
        while ((frame = controls.peek()) != null && frame.length <= buffer.remaining()) {
            buffer.put(frame);
            controls.remove();
            any = true;
        }
        return any;
    }

    synchronized boolean isEmpty() {
        return controls.isEmpty() && transfers.isEmpty();
    }

    synchronized boolean hasControls() {
        return !controls.isEmpty();
    }

    /** The next transfer that has bytes left, which is taken out; null if there is none. */
    synchronized @Nullable OutgoingTransfer nextTransfer() {
        OutgoingTransfer transfer;
        while ((transfer = transfers.poll()) != null) {
            if (!transfer.isOver()) {
                return transfer;
            }
            transfer.end();
        }
        return null;
    }

    synchronized void clear() {
        controls.clear();
        transfers.clear();
    }
}
