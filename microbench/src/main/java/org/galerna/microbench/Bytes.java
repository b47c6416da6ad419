package org.galerna.microbench;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.galerna.memory.Buffers;

/** An array whose bytes share no cache line with other objects, and are not zeros. */
final class Bytes {
    private static final int MARGIN = 128;

    private final byte[] array;
    private final int length;

    Bytes(int length) {
        this.array = new byte[MARGIN + length + MARGIN];
        this.length = length;
        new Random(length).nextBytes(array);
    }

    void copyTo(MemorySegment target, long offset) {
        Buffers.copy(array, MARGIN, target, offset, length);
    }

    void copyFrom(MemorySegment source, long offset, int bytes) {
        Buffers.copy(source, offset, array, MARGIN, bytes);
    }
}
