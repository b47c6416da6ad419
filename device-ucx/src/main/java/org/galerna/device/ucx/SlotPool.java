package org.galerna.device.ucx;

import java.lang.foreign.Arena;
import java.util.Arrays;

/** Memory outside the heap for short messages, in pieces of one size that are used again. Guarded by the engine's lock. */
final class SlotPool {
    private static final int AT_ONCE = 16;
    private static final long ALIGNMENT = 64;

    private final Arena arena;
    private final long bytes;
    private long[] free = new long[AT_ONCE];
    private int count;

    SlotPool(Arena arena, long bytes) {
        this.arena = arena;
        this.bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    long take() {
        if (count == 0) {
            long first = arena.allocate(bytes * AT_ONCE, ALIGNMENT).address();
            for (int each = 0; each < AT_ONCE; each++) {
                give(first + each * bytes);
            }
        }
        return free[--count];
    }

    void give(long slot) {
        if (count == free.length) {
            free = Arrays.copyOf(free, 2 * count);
        }
        free[count++] = slot;
    }
}
