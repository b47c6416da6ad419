package org.galerna.link.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Memory outside the heap that pieces of arrays pass, used again and again. Guarded by the worker's lock. */
final class Pieces {
    private static final long ALIGNMENT = 4096;

    private final Deque<MemorySegment> free = new ArrayDeque<>();

    MemorySegment take() {
        MemorySegment piece = free.pollLast();
        return piece == null ? Arena.ofAuto().allocate(Transfer.PIECE, ALIGNMENT) : piece;
    }

    void give(MemorySegment piece) {
        free.addLast(piece);
    }
}
