package org.galerna.collectives.buffer;

import java.lang.foreign.MemorySegment;

/** Bytes in buffers of the kinds that a device takes: primitive arrays other than boolean, and memory segments. */
public final class Buffers {
    private Buffers() {}

    /**
     * Copies bytes between two buffers, of any two kinds; overlapping ranges of one buffer are copied as if through a
     * third. Offsets and length are in bytes.
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
        MemorySegment.copy(segment(source), sourceOffset, segment(target), targetOffset, length);
    }

    /** Copies bytes unless source and target are the same place. */
    public static void copyUnlessSame(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        if (source != target || sourceOffset != targetOffset) {
            copy(source, sourceOffset, target, targetOffset, length);
        }
    }

    /** The buffer as a segment of bytes. */
    public static MemorySegment segment(Object buffer) {
        return switch (buffer) {
            case MemorySegment segment -> segment;
            case byte[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case char[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            default -> throw noBuffer(buffer);
        };
    }

    /** Bytes that the buffer holds. */
    public static long size(Object buffer) {
        return segment(buffer).byteSize();
    }

    private static int elementShift(Object array) {
        return switch (array) {
            case byte[] _ -> 0;
            case short[] _ -> 1;
            case char[] _ -> 1;
            case int[] _ -> 2;
            case float[] _ -> 2;
            case long[] _ -> 3;
            case double[] _ -> 3;
            default -> throw noBuffer(array);
        };
    }

    private static IllegalArgumentException noBuffer(Object buffer) {
        return new IllegalArgumentException(
                "a buffer is a primitive array other than boolean[] or a memory segment, not "
                        + buffer.getClass().getTypeName());
    }
}
