package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * One copy by several threads. Each claims the next chunk from a shared counter and copies it, so that the cores'
 * bandwidths add up; whoever comes late finds nothing left. The initiator returns when every chunk is in place.
 *
 * <p>Argument: a chunk is claimed by exactly one thread, by an atomic addition. A helper counts its chunk in
 * {@code finished} after copying it (the addition releases), and the initiator reads the full count (acquire) before
 * it goes on, so that it sees every byte. A helper that claims beyond the end touches neither memory. A chunk whose copy
 * throws is counted as well, so that nobody waits for it, and the initiator throws what was thrown first.
 */
final class CooperativeCopy {
    /** Bytes of a chunk: large enough that claiming is free, small enough that both threads end together. */
    static final long CHUNK = 32 * 1024;

    private final MemorySegment source;
    private final MemorySegment target;
    private final long length;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    CooperativeCopy(MemorySegment source, MemorySegment target) {
        this.source = source;
        this.target = target;
        this.length = target.byteSize();
    }

    /** Whether any thread may touch both memories; that of a confined arena is its thread's alone. */
    static boolean isPossible(MemorySegment source, MemorySegment target) {
        return Buffers.isSharedByThreads(source) && Buffers.isSharedByThreads(target);
    }

    /** Copies chunks until none is left to claim. Returns true if it has copied any. */
    boolean work() {
        long copied = 0;
        long start;
        while ((start = next.getAndAdd(CHUNK)) < length) {
            long bytes = Math.min(CHUNK, length - start);
            try {
                MemorySegment.copy(source, start, target, start, bytes);
            } catch (RuntimeException thrown) {
                failure.compareAndSet(null, thrown);
            }
            copied += bytes;
        }
        if (copied > 0) {
            finished.getAndAdd(copied);
        }
        return copied > 0;
    }

    /**
     * Copies, and waits for the chunks that helpers have claimed.
     *
     * @throws RuntimeException that copying a chunk has thrown, on whatever thread
     */
    void complete() {
        work();
        for (int round = 0; finished.getAcquire() < length; round++) {
            if (round < 1000) {
                Thread.onSpinWait();
            } else {
                Thread.yield(); // the helper may need this core to finish its chunk
            }
        }
        RuntimeException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }
}
