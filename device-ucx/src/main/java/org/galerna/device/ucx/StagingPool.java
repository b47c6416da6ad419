package org.galerna.device.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Memory outside the heap that long messages pass on their way between arrays and UCX. Pieces have powers of two as sizes and are
 * used again. Guarded by the engine's lock.
 */
final class StagingPool {
    private static final int LEAST = 12;
    private static final long ALIGNMENT = 4096;

    private final Arena arena;
    private final List<Deque<MemorySegment>> free = new ArrayList<>();

    StagingPool(Arena arena) {
        this.arena = arena;
        for (int power = 0; power < Long.SIZE; power++) {
            free.add(new ArrayDeque<>());
        }
    }

    private static int power(long bytes) {
        return Math.max(LEAST, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
    }

    /** A piece of at least so many bytes, at least 1. */
    MemorySegment take(long bytes) {
        int power = power(bytes);
        MemorySegment piece = free.get(power).pollLast();
        return piece == null ? arena.allocate(1L << power, ALIGNMENT) : piece;
    }

    void give(MemorySegment piece) {
        free.get(power(piece.byteSize())).addLast(piece);
    }
}
