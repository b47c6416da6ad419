package org.galerna.link.tcp.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory outside the heap, through which the bytes of arrays go on their way to and from the socket: as much as fits
 * into the cache, so that the second copy costs little. Safe for use by many threads.
 */
public final class StagingPool {
    private final Deque<MemorySegment> spare = new ArrayDeque<>(); // guarded by this; the last one is the warmest

    private final Runnable allocation;

    /**
     * An empty pool.
     *
     * @param allocation counts what it allocates
     */
    public StagingPool(Runnable allocation) {
        this.allocation = allocation;
    }

    public synchronized MemorySegment take() {
        MemorySegment memory = spare.pollLast();
        if (memory == null) {
            allocation.run();
            return Arena.ofAuto().allocate(Frames.DATA_BYTES, 64);
        }
        return memory;
    }

    public synchronized void give(MemorySegment memory) {
        spare.addLast(memory);
    }
}
