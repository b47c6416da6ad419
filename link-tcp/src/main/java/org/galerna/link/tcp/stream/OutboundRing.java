package org.galerna.link.tcp.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.galerna.link.Channel;
import org.galerna.link.tcp.wire.Frames;

/**
 * Frames that wait for the socket, exactly as they travel, so that any number of them is written by one call. Written
 * in place by claimants, read by whoever holds the lock of the {@link Outbound}.
 *
 * <p>Positions count for ever; a position modulo the capacity is the place in memory. A claim that would not fit before
 * the end of the memory skips to its beginning.
 *
 * <p>Argument: between head and tail every frame has a header, because a claimant clears the header of its claim before
 * it publishes the new tail (release), which the reader loads (acquire) before it walks along the headers. A header
 * that is not zero was stored (release) by the commit, after the bytes of the frame. Space is claimed again only after
 * the reader has moved the head past it (release, acquire).
 */
public final class OutboundRing {
    private static final VarHandle HEADERS = Frames.LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(OutboundRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(OutboundRing.class, "head", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final MemorySegment memory;
    private final ByteBuffer view;
    private final int capacity;
    private final boolean concurrentClaims;
    private long tail; // written by claimants
    private long headSeen; // of claimants
    private long head; // written by the reader

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two
     */
    public OutboundRing(int capacity, boolean concurrentClaims) {
        this.memory = Arena.ofAuto().allocate(capacity, 64);
        this.view = memory.asByteBuffer();
        this.capacity = capacity;
        this.concurrentClaims = concurrentClaims;
    }

    /** Longest frame that fits whatever the position, in bytes. */
    public static int maximumFrame(int capacity) {
        return capacity / 2 - Frames.HEADER_BYTES;
    }

    public MemorySegment memory() {
        return memory;
    }

    // ---- claimants

    public long claim(int length) {
        int bytes = Frames.bytes(length);
        if (concurrentClaims) {
            synchronized (this) {
                return reserve(bytes);
            }
        }
        return reserve(bytes);
    }

    private long reserve(int bytes) {
        long position = tail;
        int place = place(position);
        int skipped = capacity - place < bytes ? capacity - place : 0;
        if (position + skipped + bytes - headSeen > capacity) {
            headSeen = (long) HEAD.getAcquire(this);
            if (position + skipped + bytes - headSeen > capacity) {
                return Channel.BACK_PRESSURE;
            }
        }
        if (skipped > 0) {
            memory.set(Frames.LONG, place, Frames.header(Frames.SKIP, skipped - Frames.HEADER_BYTES));
            place = 0;
        }
        memory.set(Frames.LONG, place, Frames.NOTHING);
        TAIL.setRelease(this, position + skipped + bytes);
        return ((long) bytes << 32) | (place + Frames.HEADER_BYTES);
    }

    public void commit(long claim, int length) {
        int place = (int) Channel.offset(claim) - Frames.HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        int bytes = Frames.bytes(length);
        if (bytes < claimed) {
            memory.set(Frames.LONG, place + bytes, Frames.header(Frames.SKIP, claimed - bytes - Frames.HEADER_BYTES));
        }
        HEADERS.setRelease(memory, (long) place, Frames.header(Frames.FRAME, length));
    }

    public void abort(long claim) {
        int place = (int) Channel.offset(claim) - Frames.HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        HEADERS.setRelease(memory, (long) place, Frames.header(Frames.SKIP, claimed - Frames.HEADER_BYTES));
    }

    /** Where the next claim will be. Any thread. */
    long position() {
        return (long) TAIL.getAcquire(this);
    }

    // ---- the reader

    /** Whether everything that was claimed is written. */
    boolean isEmpty() {
        long end = (long) TAIL.getAcquire(this);
        return skipTo(end) == end;
    }

    /** The committed frames from the head on that lie in a row, ready to be written; empty if there are none. */
    ByteBuffer next() {
        long end = (long) TAIL.getAcquire(this);
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
        long end = (long) TAIL.getAcquire(this);
        long start = skipTo(end);
        return start < end && place(start) == Channel.offset(claim) - Frames.HEADER_BYTES;
    }

    /** Bytes of the next frame from {@code from} to {@code to}, its header included. */
    ByteBuffer part(int from, int to) {
        int place = place(head);
        return view.limit(place + to).position(place + from);
    }

    /** Passes over space that is not sent; the position of the first frame. */
    private long skipTo(long end) {
        long position = head;
        while (position < end) {
            long header = header(position);
            if (Frames.type(header) != Frames.SKIP) {
                break;
            }
            position += Frames.bytes(Frames.length(header));
        }
        if (position != head) {
            HEAD.setRelease(this, position);
        }
        return position;
    }

    /** Gives back the space of what has been written. */
    void release(int bytes) {
        HEAD.setRelease(this, head + bytes);
    }

    private long header(long position) {
        return (long) HEADERS.getAcquire(memory, (long) place(position));
    }

    private int place(long position) {
        return (int) position & (capacity - 1);
    }
}
