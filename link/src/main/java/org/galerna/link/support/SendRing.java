package org.galerna.link.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.Channel;

/**
 * Frames to one peer, exactly as they travel, in memory that the adapter reads. Claimed and written in place, sent in
 * messages of as many as are committed in a row, and kept until the adapter has them at the other side.
 *
 * <p>Positions count for ever; a position modulo the capacity is the place in memory. A claim that does not fit before the
 * end skips to the beginning.
 *
 * <p>Argument: a claimant clears the header of its claim before it publishes the new tail (release), which the sender
 * loads (acquire) before it walks along headers, so every header between {@code next} and {@code tail} is that of a claim.
 * One that is not zero was stored (release) by the commit, after the frame's bytes. Space is claimed again only after the
 * head has passed it (release by whoever takes completions, acquire by the claimant).
 */
public final class SendRing {
    private static final VarHandle HEADERS = Frames.LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(SendRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(SendRing.class, "head", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final MemorySegment memory;
    private final int capacity;
    private final boolean concurrentClaims;
    private long tail; // written by claimants
    private long headSeen; // of claimants
    private long next; // of the sender: the first position that is not sent
    private long sentEnd; // of the sender: behind the last message

    @SuppressWarnings("UnusedVariable") // read through HEAD
    private long head; // of completions: the first position that the adapter may still read

    /**
     * An empty ring.
     *
     * @param capacity bytes, a power of two
     */
    public SendRing(int capacity, boolean concurrentClaims) {
        this.memory = Arena.ofAuto().allocate(capacity, 4096);
        this.capacity = capacity;
        this.concurrentClaims = concurrentClaims;
    }

    /** Where the frames lie. */
    public MemorySegment memory() {
        return memory;
    }

    // ---- claimants

    /** Takes space for a frame, see {@link Channel#claim}. */
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

    /** Completes a frame of a type, see {@link Channel#commit(long, int)}. */
    public void commit(long claim, int length, int type) {
        int place = (int) Channel.offset(claim) - Frames.HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        int bytes = Frames.bytes(length);
        if (bytes < claimed) {
            memory.set(Frames.LONG, place + bytes, Frames.header(Frames.SKIP, claimed - bytes - Frames.HEADER_BYTES));
        }
        HEADERS.setRelease(memory, (long) place, Frames.header(type, length));
    }

    /** Gives a claim up. */
    public void abort(long claim) {
        int place = (int) Channel.offset(claim) - Frames.HEADER_BYTES;
        int claimed = (int) (claim >>> 32);
        HEADERS.setRelease(memory, (long) place, Frames.header(Frames.SKIP, claimed - Frames.HEADER_BYTES));
    }

    // ---- the sender, inside its lock

    /**
     * Bytes of the next message: committed frames that lie in a row from {@link #start} on; 0 if there are none.
     *
     * @param longest bytes of a message at most
     */
    public int ready(int longest) {
        long end = (long) TAIL.getAcquire(this);
        skip(end);
        int bytes = 0;
        for (long position = next; position < end; ) {
            long header = (long) HEADERS.getAcquire(memory, (long) place(position));
            int type = Frames.type(header);
            int more = Frames.bytes(Frames.length(header));
            if (header == Frames.NOTHING || type == Frames.SKIP || bytes + more > longest) {
                break; // space that is not used does not travel
            }
            bytes += more;
            position += more;
            if (place(position) == 0) {
                break;
            }
        }
        return bytes;
    }

    private void skip(long end) {
        while (next < end) {
            long header = (long) HEADERS.getAcquire(memory, (long) place(next));
            if (Frames.type(header) != Frames.SKIP) {
                break;
            }
            next += Frames.bytes(Frames.length(header));
        }
        // what is skipped is nobody's to release; if nothing is under way, nobody else writes the head either
        if (sentEnd != next && (long) HEAD.getAcquire(this) == sentEnd) {
            sentEnd = next;
            HEAD.setRelease(this, next);
        }
    }

    /** Where the next message begins. */
    public int start() {
        return place(next);
    }

    /** Position behind a message of so many bytes, which is sent now. */
    public long sent(int bytes) {
        next += bytes;
        sentEnd = next;
        return next;
    }

    /** Whether everything that was claimed is sent. */
    public boolean isEmpty() {
        skip((long) TAIL.getAcquire(this));
        return next == (long) TAIL.getAcquire(this);
    }

    // ---- completions

    /** Gives the space before a position back. */
    public void release(long position) {
        HEAD.setRelease(this, position);
    }

    private int place(long position) {
        return (int) position & (capacity - 1);
    }
}
