package org.galerna.device.matching.queue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays for the bytes of unexpected messages, reused by size. Guarded by the device's match lock. Kept as segments, because
 * a segment that is made for each delivery is an object more wherever the compiler does not see through it.
 */
public final class PayloadPool {
    private static final int SMALLEST_SHIFT = 6;
    private static final int SIZES = Integer.SIZE - SMALLEST_SHIFT;
    private static final int MOST_KEPT = 256;

    private final List<List<MemorySegment>> bySize = new ArrayList<>(SIZES);
    private final Runnable allocation;

    /**
     * An empty pool.
     *
     * @param allocation counts what it allocates
     */
    public PayloadPool(Runnable allocation) {
        this.allocation = allocation;
        for (int size = 0; size < SIZES; size++) {
            bySize.add(new ArrayList<>());
        }
    }

    /** Memory of at least that many bytes. */
    public MemorySegment take(int length) {
        int size = sizeClass(length);
        List<MemorySegment> kept = bySize.get(size);
        if (kept.isEmpty()) {
            allocation.run();
            return MemorySegment.ofArray(new byte[1 << (size + SMALLEST_SHIFT)]);
        }
        return kept.removeLast();
    }

    public void give(MemorySegment memory) {
        List<MemorySegment> kept = bySize.get(sizeClass((int) memory.byteSize()));
        if (kept.size() < MOST_KEPT) {
            kept.add(memory);
        }
    }

    private static int sizeClass(int length) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(length, 1) - 1) - SMALLEST_SHIFT);
    }
}
