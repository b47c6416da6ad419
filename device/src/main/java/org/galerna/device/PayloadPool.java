package org.galerna.device;

import java.util.ArrayList;
import java.util.List;

/** Byte arrays for the bytes of unexpected messages, reused by size. Guarded by the device's match lock. */
final class PayloadPool {
    private static final int SMALLEST_SHIFT = 6;
    private static final int MOST_KEPT = 256;

    private final List<List<byte[]>> bySize = new ArrayList<>();

    /** An array of at least that many bytes. */
    byte[] take(int length) {
        int size = sizeClass(length);
        List<byte[]> kept = size < bySize.size() ? bySize.get(size) : List.of();
        return kept.isEmpty() ? new byte[1 << (size + SMALLEST_SHIFT)] : kept.removeLast();
    }

    void give(byte[] array) {
        int size = sizeClass(array.length);
        while (bySize.size() <= size) {
            bySize.add(new ArrayList<>());
        }
        List<byte[]> kept = bySize.get(size);
        if (kept.size() < MOST_KEPT) {
            kept.add(array);
        }
    }

    private static int sizeClass(int length) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(length, 1) - 1) - SMALLEST_SHIFT);
    }
}
