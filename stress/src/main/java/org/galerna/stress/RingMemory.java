package org.galerna.stress;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.memory.RecordRing;

/**
 * Memory for the many small rings of a stress test, in turns out of one piece: there are far more turns than rings in
 * use at any time.
 */
final class RingMemory {
    static final int SLOTS = 4;
    static final int DATA_BYTES = 256;

    private static final long BYTES = (RecordRing.bytes(SLOTS, DATA_BYTES) + 127) / 128 * 128;
    private static final int TURNS = 1 << 16;
    private static final MemorySegment ALL = Arena.global().allocate(BYTES * TURNS, 128);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private RingMemory() {}

    /** A new, empty ring. */
    static RecordRing ring() {
        int turn = NEXT.getAndIncrement() & (TURNS - 1);
        return RecordRing.create(ALL.asSlice(turn * BYTES, BYTES).fill((byte) 0), SLOTS, DATA_BYTES);
    }
}
