package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.memory.Buffers;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/**
 * One copy by several threads of two ranks, so that the cores' bandwidths add up. The rank that starts it copies pieces
 * from one end, the rank that helps copies pieces from the other; whoever comes late finds nothing left. The initiator
 * returns when everything is in place.
 *
 * <p>Each rank keeps its end from message to message, so that the halves of buffers that travel to and fro stay in the
 * caches of the cores that copied them. Pieces become smaller towards the end (guided self-scheduling, Polychronopoulos
 * and Kuck 1987): few are claimed, because a claim takes a cache line from the other core, and yet both threads end
 * together.
 *
 * <p>Argument: {@code claimed} holds the bytes claimed from the front and those from the back in one word, so claims are
 * disjoint. A helper counts its pieces in {@code finished} after copying them (the addition releases), and the initiator
 * reads the full count (acquire) before it goes on, so that it sees every byte. A piece whose copy throws is counted as
 * well, so that nobody waits for it, and the initiator throws what was thrown first.
 *
 * <p>The same object serves one message after the other. A helper that finds it where it was offered may come late, when
 * that message is over and the object prepared for another one. So it {@linkplain #enter enters} before it looks again
 * whether the object is offered, and helps only if it is. The initiator withdraws the offer before it
 * {@linkplain #end looks} whether anybody is inside, and gives the object up if so. All four are volatile accesses: either
 * the helper's second look comes after the withdrawal and finds nothing, or its entry comes before the initiator's look.
 * A helper that finds a newer offer of the same object has what was written before that offer, and helps with that.
 */
final class CooperativeCopy {
    /** Shorter copies than this many bytes are over before help could come. */
    static final long LEAST_SHARED = 8 * 1024;

    /** Bytes of the smallest piece. */
    static final long LEAST_PIECE = 8 * 1024;

    /** A claim takes this part of what is left, rounded to pages. */
    private static final int SHARE = 4;

    private static final long PAGE = 4096;
    private static final int PAGE_SHIFT = 12;

    private @Nullable Object source;
    private @Nullable Object target;
    private long length;
    private boolean initiatorInFront;

    /** Pages claimed: from the front in the lower half, from the back in the upper. */
    private final AtomicLong claimed = new AtomicLong();

    private final AtomicLong finished = new AtomicLong();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Helpers that may be about to copy a piece. */
    private final AtomicInteger inside = new AtomicInteger();

    /**
     * Prepares a copy, before it is offered to helpers.
     *
     * @param source a {@link MemorySegment} or a {@link StridedArray}, and so the target
     * @param initiatorInFront whether the initiating rank copies from the front, and the other from the back
     */
    CooperativeCopy begin(Object source, Object target, long length, boolean initiatorInFront) {
        this.source = source;
        this.target = target;
        this.length = length;
        this.initiatorInFront = initiatorInFront;
        claimed.setPlain(0);
        finished.setPlain(0);
        failure.setPlain(null);
        return this;
    }

    /** Ends a copy that is not offered any more. Returns true if the object may serve another one. */
    boolean end() {
        if (inside.get() > 0) {
            return false;
        }
        source = null; // keeps no memory of the program's alive
        target = null;
        return true;
    }

    /** To be called by a helper before it looks whether the copy is still offered. */
    void enter() {
        inside.getAndIncrement();
    }

    /** To be called by a helper that has entered, when it touches the copy no more. */
    void leave() {
        inside.getAndDecrement();
    }

    /** Whether any thread may touch both memories; that of a confined arena is its thread's alone. */
    static boolean isPossible(Object source, Object target) {
        return isShared(source) && isShared(target);
    }

    private static boolean isShared(Object memory) {
        return !(memory instanceof MemorySegment segment) || Buffers.isSharedByThreads(segment);
    }

    /** Copies pieces for the rank that helps until none is left to claim. Returns true if it has copied any. */
    boolean help() {
        return work(!initiatorInFront);
    }

    private boolean work(boolean inFront) {
        long pages = (length + PAGE - 1) >>> PAGE_SHIFT;
        long copied = 0;
        while (true) {
            long before = claimed.get();
            long front = before & 0xffffffffL;
            long back = before >>> 32;
            long left = pages - front - back;
            if (left == 0) {
                break;
            }
            long piece = Math.min(left, Math.max(LEAST_PIECE >>> PAGE_SHIFT, left / SHARE));
            if (claimed.compareAndSet(before, before + (inFront ? piece : piece << 32))) {
                long start = (inFront ? front : pages - back - piece) << PAGE_SHIFT;
                copied += copy(start, Math.min(piece << PAGE_SHIFT, length - start));
            }
        }
        if (copied > 0) {
            finished.getAndAdd(copied);
        }
        return copied > 0;
    }

    /** Copies a part, of which both sides have all. */
    static void copy(Object source, Object target, long start, long bytes) {
        if (source instanceof StridedArray from) {
            if (target instanceof StridedArray to) {
                from.copy(start, to, bytes);
            } else {
                from.read(start, (MemorySegment) target, start, bytes);
            }
        } else if (target instanceof StridedArray to) {
            to.write(start, (MemorySegment) source, start, bytes);
        } else {
            MemorySegment.copy((MemorySegment) source, start, (MemorySegment) target, start, bytes);
        }
    }

    private long copy(long start, long bytes) {
        try {
            copy(Objects.requireNonNull(source), Objects.requireNonNull(target), start, bytes);
        } catch (RuntimeException thrown) {
            failure.compareAndSet(null, thrown);
        }
        return bytes;
    }

    /**
     * Copies, and waits for the pieces that helpers have claimed.
     *
     * @throws RuntimeException that copying a piece has thrown, on whatever thread
     */
    void complete() {
        work(initiatorInFront);
        for (int round = 0; finished.getAcquire() < length; round++) {
            if (round < 1000) {
                Thread.onSpinWait();
            } else {
                Thread.yield(); // the helper may need this core to finish its piece
            }
        }
        RuntimeException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }
}
