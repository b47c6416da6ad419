package org.galerna.link.ofi.connection;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.FrameHandler;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.TransferFrames;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one peer that have come and were not handed over yet, by their numbers in the sequence: a provider may deliver them
 * in any order. Added inside the engine's lock, taken by the polling thread.
 *
 * <p>Argument: an entry is null unless there is a message. It is set (release) by who adds it and read (acquire) and cleared by
 * the polling thread; the peer has credit for fewer messages than there are entries, so that nobody sets one that is not null.
 */
final class Inbound {
    private static final VarHandle ENTRIES = MethodHandles.arrayElementVarHandle(ReceiveBuffers.Slot[].class);

    private final int peer;
    private final MemorySegment memory;
    private final int slotBytes;
    private final ReceiveBuffers.@Nullable Slot[] entries = new ReceiveBuffers.Slot[Word.SEQUENCES];
    private final Deque<ReceiveBuffers.Slot> freed = new ArrayDeque<>(); // of the polling thread, as all that follows
    private int next;
    private ReceiveBuffers.@Nullable Slot slot; // of the message that is being handed over
    private long at;
    private long end;

    Inbound(int peer, MemorySegment memory, int slotBytes) {
        this.peer = peer;
        this.memory = memory;
        this.slotBytes = slotBytes;
    }

    /** Adds a message; false if there is one of that number already. */
    boolean add(int sequence, ReceiveBuffers.Slot place) {
        if ((ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, sequence) != null) {
            return false;
        }
        ENTRIES.setRelease(entries, sequence, place);
        return true;
    }

    boolean hasMore() {
        return slot != null || (ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, next) != null;
    }

    int deliver(FrameHandler handler, TransferFrames transfers, Peer from, int limit) throws ProtocolException {
        int handled = 0;
        while (handled < limit && (slot != null || take())) {
            long header = memory.get(Frames.LONG, at);
            int type = Frames.type(header);
            int length = Frames.length(header);
            long frame = at + Frames.HEADER_BYTES;
            if (length > end - frame || (type != Frames.FRAME && type != Frames.TRANSFER)) {
                throw new ProtocolException("a frame of type " + type + " with " + length + " bytes, in a message with "
                        + (end - frame) + " left");
            }
            at += Frames.bytes(length);
            try {
                if (type == Frames.FRAME) {
                    handled++;
                    handler.onFrame(peer, memory, frame, length);
                } else {
                    transfers.onFrame(from, memory, frame, length);
                }
            } finally {
                if (at >= end) {
                    free();
                }
            }
        }
        return handled;
    }

    private boolean take() throws ProtocolException {
        ReceiveBuffers.Slot message = (ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, next);
        if (message == null) {
            return false;
        }
        ENTRIES.setRelease(entries, next, null);
        next = (next + 1) & (Word.SEQUENCES - 1);
        slot = message;
        at = message.offset();
        end = at + message.length();
        if (message.length() < Frames.HEADER_BYTES || message.length() > slotBytes) {
            free();
            throw new ProtocolException("a message of " + message.length() + " bytes");
        }
        return true;
    }

    private void free() {
        ReceiveBuffers.Slot done = slot;
        if (done != null) {
            freed.addLast(done);
            slot = null;
        }
    }

    /** Messages that are done with, and whose buffers are not posted again. */
    int freed() {
        return freed.size();
    }

    /** Posts their buffers; inside the engine's lock. */
    void postFreed(ReceiveBuffers buffers) {
        while (!freed.isEmpty()) {
            buffers.post(freed.removeFirst());
        }
    }

    /** Drops what was not handed over. */
    void discard() {
        free();
        for (int index = 0; index < entries.length; index++) {
            ReceiveBuffers.Slot message = (ReceiveBuffers.Slot) ENTRIES.getAndSet(entries, index, null);
            if (message != null) {
                freed.addLast(message);
            }
        }
    }
}
