package org.galerna.sockets;

import java.lang.foreign.MemorySegment;

/** Arrays of numbers as memory, and the other byte order. */
final class ArrayMemory {
    /** Bytes that are converted at a time, few enough to stay in the nearest cache. */
    static final int SCRATCH = 1 << 14;

    private ArrayMemory() {}

    /** Bytes of an element of an array of numbers. */
    static int elementBytes(Object array) {
        return switch (array) {
            case byte[] bytes -> Byte.BYTES;
            case short[] shorts -> Short.BYTES;
            case char[] chars -> Character.BYTES;
            case int[] ints -> Integer.BYTES;
            case float[] floats -> Float.BYTES;
            case long[] longs -> Long.BYTES;
            case double[] doubles -> Double.BYTES;
            default -> throw new IllegalArgumentException(array.getClass().getTypeName());
        };
    }

    /** An array of numbers as the memory that it is. */
    static MemorySegment of(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case short[] shorts -> MemorySegment.ofArray(shorts);
            case char[] chars -> MemorySegment.ofArray(chars);
            case int[] ints -> MemorySegment.ofArray(ints);
            case float[] floats -> MemorySegment.ofArray(floats);
            case long[] longs -> MemorySegment.ofArray(longs);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            default -> throw new IllegalArgumentException(array.getClass().getTypeName());
        };
    }

    /** Reverses the bytes of each element of a range. */
    static void reverse(byte[] bytes, int length, int elementBytes) {
        for (int at = 0; at < length; at += elementBytes) {
            for (int low = at, high = at + elementBytes - 1; low < high; low++, high--) {
                byte kept = bytes[low];
                bytes[low] = bytes[high];
                bytes[high] = kept;
            }
        }
    }

    /** As bytes, because booleans have no memory that others may look at. */
    static byte[] toBytes(boolean[] flags, int offset, int length) {
        byte[] bytes = new byte[length];
        for (int index = 0; index < length; index++) {
            bytes[index] = (byte) (flags[offset + index] ? 1 : 0);
        }
        return bytes;
    }

    /** Back from {@link #toBytes}. */
    static void fromBytes(byte[] bytes, boolean[] flags, int offset) {
        for (int index = 0; index < bytes.length; index++) {
            flags[offset + index] = bytes[index] != 0;
        }
    }
}
