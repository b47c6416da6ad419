package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** What {@link CooperativeCopy} is compared with: either thread takes the next piece from the front. */
final class PiecewiseCopy {
    private static final long PIECE = 32 * 1024;

    private final MemorySegment source;
    private final MemorySegment target;
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();

    PiecewiseCopy(MemorySegment source, MemorySegment target) {
        this.source = source;
        this.target = target;
    }

    void work() {
        long length = target.byteSize();
        for (long start = claimed.getAndAdd(PIECE); start < length; start = claimed.getAndAdd(PIECE)) {
            long bytes = Math.min(PIECE, length - start);
            MemorySegment.copy(source, start, target, start, bytes);
            finished.getAndAdd(bytes);
        }
    }

    void complete() {
        work();
        while (finished.getAcquire() < target.byteSize()) {
            Thread.onSpinWait();
        }
    }
}
