package org.galerna.link.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.galerna.link.Channel;

/**
 * Frames to one peer, exactly as they travel: claimed and written in place by claimants, sent by whoever holds the sender's lock.
 * This is the claimants' side.
 *
 * <p>Positions count for ever; a position modulo the capacity is the place in memory. A claim that does not fit before the end
 * skips to the beginning. A header is a number of 8 bytes: the length in its lower bits, then the type; 0 if there is no frame yet.
 *
 * <p>Argument: a claimant clears the header of its claim before it publishes the new tail (release), which the sender loads
 * (acquire) before it walks along headers, so every header between the sender's place and the tail is that of a claim. One that
 * is not zero was stored (release) by the commit, after the frame's bytes. Space is claimed again only after the head has passed
 * it (release by whoever knows that it is free, acquire by the claimant).
 */
public abstract class FrameRing {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle HEADERS = LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final int HEADER_BYTES = 8;
    private static final long NOTHING = 0;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(FrameRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(FrameRing.class, "head", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final MemorySegment memory;
    private final int capacity;
    private final boolean concurrentClaims;
    private final int typeShift;
    private final long skip;
    private long tail; // written by claimants
    private long headSeen; // of claimants

    @SuppressWarnings("UnusedVariable") // read through HEAD
    private long head; // written by whoever gives space back

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two
     * @param typeShift where the type begins in a header
     * @param skip type of space that is not sent
     */
    protected FrameRing(int capacity, long alignment, boolean concurrentClaims, int typeShift, int skip) {
        this.memory = Arena.ofAuto().allocate(capacity, alignment);
        this.capacity = capacity;
        this.concurrentClaims = concurrentClaims;
        this.typeShift = typeShift;
        this.skip = (long) skip << typeShift;
    }

    /** Where the frames lie. */
    public final MemorySegment memory() {
        return memory;
    }

    private static int bytes(int length) {
        return HEADER_BYTES + ((length + 7) & ~7);
    }

    /** Takes space for a frame, see {@link Channel#claim}. */
    public final long claim(int length) {
        int bytes = bytes(length);
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
            memory.set(LONG, place, skip | (skipped - HEADER_BYTES));
            place = 0;
        }
        memory.set(LONG, place, NOTHING);
        TAIL.setRelease(this, position + skipped + bytes);
        return ((long) bytes << 32) | (place + HEADER_BYTES);
    }

    /** Completes a frame of a type, see {@link Channel#commit(long, int)}. */
    public final void commit(long claim, int length, int type) {
        int place = (int) Channel.offset(claim) - HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        int bytes = bytes(length);
        if (bytes < claimed) {
            memory.set(LONG, place + bytes, skip | (claimed - bytes - HEADER_BYTES));
        }
        HEADERS.setRelease(memory, (long) place, ((long) type << typeShift) | length);
    }

    /** Gives a claim up. */
    public final void abort(long claim) {
        int place = (int) Channel.offset(claim) - HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        HEADERS.setRelease(memory, (long) place, skip | (claimed - HEADER_BYTES));
    }

    // ---- for the sender

    /** Behind the last claim. */
    protected final long tail() {
        return (long) TAIL.getAcquire(this);
    }

    /** Before the first frame that may still be read. */
    protected final long head() {
        return (long) HEAD.getAcquire(this);
    }

    /** Gives the space before a position back. */
    protected final void setHead(long position) {
        HEAD.setRelease(this, position);
    }

    /** The header at a position before the tail. */
    protected final long header(long position) {
        return (long) HEADERS.getAcquire(memory, (long) place(position));
    }

    protected final int place(long position) {
        return (int) position & (capacity - 1);
    }
}
