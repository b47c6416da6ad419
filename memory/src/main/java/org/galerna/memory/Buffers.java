package org.galerna.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes of primitive arrays and memory segments behind one type, {@code Object}. A segment over an array is an object
 * that has to be allocated for every message; an array and two numbers are not.
 *
 * <p>A buffer is an array of any primitive type but {@code boolean}, or a {@link MemorySegment}; offsets and lengths are
 * in bytes, and bytes are in native order.
 */
public final class Buffers {
    private Buffers() {}

    /** Size of a buffer in bytes. */
    public static long bytes(Object buffer) {
        return buffer instanceof byte[] bytes ? bytes.length : segment(buffer).byteSize();
    }

    /**
     * A segment over the buffer.
     *
     * @throws IllegalArgumentException if it is no buffer
     */
    public static MemorySegment segment(Object buffer) {
        return switch (buffer) {
            case byte[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case char[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case MemorySegment segment -> segment;
            default ->
                throw new IllegalArgumentException("a buffer is an array of a primitive type other than boolean, or a "
                        + "MemorySegment, not " + buffer.getClass().getTypeName());
        };
    }

    /**
     * Checks that a range lies in a buffer.
     *
     * @throws IndexOutOfBoundsException if it does not
     */
    public static void check(Object buffer, long offset, long length) {
        long bytes = bytes(buffer);
        if ((offset | length) < 0 || offset > bytes - length) {
            throw new IndexOutOfBoundsException(
                    "bytes " + offset + " to " + (offset + length) + " are not within a buffer of " + bytes + " bytes");
        }
    }

    /** Copies out of a buffer into a segment. */
    public static void copy(Object buffer, long offset, MemorySegment target, long targetOffset, long length) {
        if (buffer instanceof byte[] array) {
            MemorySegment.copy(array, (int) offset, target, ValueLayout.JAVA_BYTE, targetOffset, (int) length);
        } else {
            MemorySegment.copy(segment(buffer), offset, target, targetOffset, length);
        }
    }

    /** Copies out of a segment into a buffer. */
    public static void copy(MemorySegment source, long sourceOffset, Object buffer, long offset, long length) {
        if (buffer instanceof byte[] array) {
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceOffset, array, (int) offset, (int) length);
        } else {
            MemorySegment.copy(source, sourceOffset, segment(buffer), offset, length);
        }
    }
}
