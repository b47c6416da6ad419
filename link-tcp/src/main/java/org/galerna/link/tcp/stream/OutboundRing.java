package org.galerna.link.tcp.stream;

import java.nio.ByteBuffer;
import org.galerna.link.Channel;
import org.galerna.link.support.FrameRing;
import org.galerna.link.tcp.wire.Frames;

/**
 * Frames that wait for the socket, exactly as they travel, so that any number of them is written by one call, by whoever holds the
 * lock of the {@link Outbound}.
 */
public final class OutboundRing extends FrameRing {
    private static final long ALIGNMENT = 64;

    private final ByteBuffer view = memory().asByteBuffer();

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two
     */
    public OutboundRing(int capacity, boolean concurrentClaims) {
        super(capacity, ALIGNMENT, concurrentClaims, Frames.TYPE_SHIFT, Frames.SKIP);
    }

    /** Longest frame that fits whatever the position, in bytes. */
    public static int maximumFrame(int capacity) {
        return capacity / 2 - Frames.HEADER_BYTES;
    }

    /** Completes a frame. */
    public void commit(long claim, int length) {
        commit(claim, length, Frames.FRAME);
    }

    /** Where the next claim will be. Any thread. */
    long position() {
        return tail();
    }

    // ---- the reader

    /** Whether everything that was claimed is written, or is space that is not sent. Any thread. */
    boolean holdsNothing() {
        return tail() == head();
    }

    /** Whether everything that was claimed is written. */
    boolean isEmpty() {
        long end = tail();
        return skipTo(end) == end;
    }

    /** The committed frames from the head on that lie in a row, ready to be written; empty if there are none. */
    ByteBuffer next() {
        long end = tail();
        long start = skipTo(end);
        long position = start;
        while (position < end) {
            long header = header(position);
            if (Frames.type(header) != Frames.FRAME) {
                break;
            }
            position += Frames.bytes(Frames.length(header));
            if (place(position) == 0) {
                break;
            }
        }
        int place = place(start);
        return view.limit(place + (int) (position - start)).position(place);
    }

    /** Whether the frame of a claim that is not committed is the next one to be written. */
    boolean isNext(long claim) {
        long end = tail();
        long start = skipTo(end);
        return start < end && place(start) == Channel.offset(claim) - Frames.HEADER_BYTES;
    }

    /** Bytes of the next frame from {@code from} to {@code to}, its header included. */
    ByteBuffer part(int from, int to) {
        int place = place(head());
        return view.limit(place + to).position(place + from);
    }

    /** Passes over space that is not sent; the position of the first frame. */
    private long skipTo(long end) {
        long start = head();
        long position = start;
        while (position < end) {
            long header = header(position);
            if (Frames.type(header) != Frames.SKIP) {
                break;
            }
            position += Frames.bytes(Frames.length(header));
        }
        if (position != start) {
            setHead(position);
        }
        return position;
    }

    /** Gives back the space of what has been written. */
    void release(int bytes) {
        setHead(head() + bytes);
    }
}
