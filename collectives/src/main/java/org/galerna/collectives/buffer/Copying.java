package org.galerna.collectives.buffer;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;

/** Copies between buffers of the kinds that a device takes; offsets and lengths are in bytes. */
public final class Copying {
    private Copying() {}

    /**
     * Copies bytes between two buffers, of any two kinds; overlapping ranges of one buffer are copied as if through a
     * third.
     *
     * @throws IndexOutOfBoundsException if a range is not inside its buffer
     * @throws IllegalArgumentException if one is no buffer
     */
    public static void copy(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        if (length == 0) {
            return;
        }
        if (source.getClass() == target.getClass() && !(source instanceof MemorySegment)) {
            int shift = elementShift(source);
            if (((sourceOffset | targetOffset | length) & ((1L << shift) - 1)) == 0) {
                System.arraycopy(
                        source,
                        Math.toIntExact(sourceOffset >> shift),
                        target,
                        Math.toIntExact(targetOffset >> shift),
                        Math.toIntExact(length >> shift));
                return;
            }
        }
        MemorySegment.copy(Buffers.segment(source), sourceOffset, Buffers.segment(target), targetOffset, length);
    }

    /** Copies bytes unless source and target are the same place. */
    public static void copyUnlessSame(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        if (source != target || sourceOffset != targetOffset) {
            copy(source, sourceOffset, target, targetOffset, length);
        }
    }

    /**
     * Copies runs of bytes of one length, one after the other: each starts so many bytes after the one before it, or before it
     * where the step is negative. Neither range may overlap the other.
     *
     * @param length bytes of a run
     * @param count number of runs
     * @throws IndexOutOfBoundsException if a run is not inside its buffer
     * @throws IllegalArgumentException if one is no buffer
     */
    public static void copyRuns(
            Object source,
            long sourceOffset,
            long sourceStep,
            Object target,
            long targetOffset,
            long targetStep,
            long length,
            int count) {
        if (count == 1 || (sourceStep == length && targetStep == length)) {
            copy(source, sourceOffset, target, targetOffset, count * length);
            return;
        }
        long from = sourceOffset;
        long to = targetOffset;
        for (int run = 0; run < count; run++) {
            copy(source, from, target, to, length);
            from += sourceStep;
            to += targetStep;
        }
    }

    private static int elementShift(Object array) {
        // tests one after the other and no switch on types, as in Buffers: the first ones are the frequent ones
        if (array instanceof double[] || array instanceof long[]) {
            return 3;
        }
        if (array instanceof byte[]) {
            return 0;
        }
        if (array instanceof int[] || array instanceof float[]) {
            return 2;
        }
        if (array instanceof short[] || array instanceof char[]) {
            return 1;
        }
        throw new IllegalArgumentException("a buffer is an array of a primitive type other than boolean, or a "
                + "MemorySegment, not " + array.getClass().getTypeName());
    }
}
