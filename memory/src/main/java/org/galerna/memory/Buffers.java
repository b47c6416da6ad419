package org.galerna.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.galerna.nativeaccess.memory.MemoryCopy;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * Bytes of primitive arrays and memory segments behind one type, {@code Object}. A segment over an array is an object
 * that has to be allocated for every message; an array and two numbers are not.
 *
 * <p>A buffer is an array of any primitive type but {@code boolean}, or a {@link MemorySegment}; offsets and lengths are
 * in bytes, and bytes are in native order.
 */
public final class Buffers {
    /** Stands for every thread that owns no memory; holds neither the class loader nor the group of its maker. */
    private static final Thread ANY_THREAD =
            Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {});

    static {
        ANY_THREAD.setContextClassLoader(null);
        // the JDK's own class for such copies, as EarlyClasses does it
        MemorySegment.copy(MemorySegment.ofArray(new byte[1]), ValueLayout.JAVA_BYTE, 0, new byte[1], 0, 1);
    }

    /** Longest copy of bytes, in bytes, that is made by loads and stores in the place where it is asked for. */
    private static final int IN_PLACE = Long.BYTES;

    /**
     * Bytes from which on the C library copies. Shorter ones are often copied to lines that the processor has already, see
     * {@link SpscProducer#prepare}, where stores are faster.
     */
    private static final int BULK = 12 * 1024;

    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN); // as RawMemory

    private static final VarHandle LONG_IN_BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, LONG.order());

    private Buffers() {}

    /** Whether any thread may access the memory; that of a confined arena belongs to one thread. */
    public static boolean isSharedByThreads(MemorySegment memory) {
        return memory.isAccessibleBy(ANY_THREAD);
    }

    /**
     * Size of a buffer in bytes.
     *
     * @throws IllegalArgumentException if it is no buffer
     */
    public static long bytes(Object buffer) {
        // tests one after the other and no switch on types: the first ones are the frequent ones, and nothing is called
        if (buffer instanceof byte[] array) {
            return array.length;
        }
        if (buffer instanceof double[] array) {
            return (long) array.length * Double.BYTES;
        }
        if (buffer instanceof int[] array) {
            return (long) array.length * Integer.BYTES;
        }
        if (buffer instanceof long[] array) {
            return (long) array.length * Long.BYTES;
        }
        if (buffer instanceof float[] array) {
            return (long) array.length * Float.BYTES;
        }
        return buffer instanceof StridedArray strided
                ? strided.byteSize()
                : segment(buffer).byteSize();
    }

    /**
     * A segment over the buffer.
     *
     * @throws IllegalArgumentException if it is no buffer
     */
    public static MemorySegment segment(Object buffer) {
        // no switch over types: its code is made anew in each start, so that no cache has a profile of it
        if (buffer instanceof byte[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof double[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof int[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof long[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof float[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof char[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof short[] array) {
            return MemorySegment.ofArray(array);
        } else if (buffer instanceof MemorySegment segment) {
            return segment;
        }
        throw new IllegalArgumentException(
                "a buffer is an array of a primitive type other than boolean, or a MemorySegment, not "
                        + buffer.getClass().getTypeName());
    }

    /** A segment over a part of the buffer; the buffer itself if it is one and the part is all of it. */
    public static MemorySegment segment(Object buffer, long offset, long length) {
        MemorySegment whole = segment(buffer);
        return offset == 0 && length == whole.byteSize() ? whole : whole.asSlice(offset, length);
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
        if (length >= BULK && !(buffer instanceof StridedArray)) {
            MemoryCopy.copy(segment(buffer), offset, target, targetOffset, length);
        } else {
            copyShort(buffer, offset, target, targetOffset, length);
        }
    }

    private static void copyShort(Object buffer, long offset, MemorySegment target, long targetOffset, long length) {
        if (buffer instanceof byte[] array) {
            if (length <= IN_PLACE) {
                copyInPlace(array, (int) offset, target, targetOffset, (int) length);
            } else {
                MemorySegment.copy(array, (int) offset, target, JAVA_BYTE, targetOffset, (int) length);
            }
        } else {
            copyOther(buffer, offset, target, targetOffset, length);
        }
    }

    /** In a method of its own, which is not inlined: it is ten times as long as what bytes need. */
    private static void copyOther(Object buffer, long offset, MemorySegment target, long targetOffset, long length) {
        if (buffer instanceof double[] array && areWhole(offset, length, Double.BYTES)) {
            copy(array, (int) (offset >> 3), target, targetOffset, (int) (length >> 3));
        } else if (buffer instanceof int[] array && areWhole(offset, length, Integer.BYTES)) {
            copy(array, (int) (offset >> 2), target, targetOffset, (int) (length >> 2));
        } else if (buffer instanceof long[] array && areWhole(offset, length, Long.BYTES)) {
            copy(array, (int) (offset >> 3), target, targetOffset, (int) (length >> 3));
        } else if (buffer instanceof float[] array && areWhole(offset, length, Float.BYTES)) {
            copy(array, (int) (offset >> 2), target, targetOffset, (int) (length >> 2));
        } else if (buffer instanceof StridedArray strided) {
            strided.read(offset, target, targetOffset, length);
        } else {
            copyShort(segment(buffer), offset, target, targetOffset, length);
        }
    }

    /** Copies out of a segment into a buffer. */
    public static void copy(MemorySegment source, long sourceOffset, Object buffer, long offset, long length) {
        if (length >= BULK && !(buffer instanceof StridedArray)) {
            MemoryCopy.copy(source, sourceOffset, segment(buffer), offset, length);
        } else {
            copyShort(source, sourceOffset, buffer, offset, length);
        }
    }

    private static void copyShort(MemorySegment source, long sourceOffset, Object buffer, long offset, long length) {
        if (buffer instanceof byte[] array) {
            if (length <= IN_PLACE) {
                copyInPlace(source, sourceOffset, array, (int) offset, (int) length);
            } else {
                MemorySegment.copy(source, JAVA_BYTE, sourceOffset, array, (int) offset, (int) length);
            }
        } else {
            copyOther(source, sourceOffset, buffer, offset, length);
        }
    }

    private static void copyOther(MemorySegment source, long sourceOffset, Object buffer, long offset, long length) {
        if (buffer instanceof double[] array && areWhole(offset, length, Double.BYTES)) {
            copy(source, sourceOffset, array, (int) (offset >> 3), (int) (length >> 3));
        } else if (buffer instanceof int[] array && areWhole(offset, length, Integer.BYTES)) {
            copy(source, sourceOffset, array, (int) (offset >> 2), (int) (length >> 2));
        } else if (buffer instanceof long[] array && areWhole(offset, length, Long.BYTES)) {
            copy(source, sourceOffset, array, (int) (offset >> 3), (int) (length >> 3));
        } else if (buffer instanceof float[] array && areWhole(offset, length, Float.BYTES)) {
            copy(source, sourceOffset, array, (int) (offset >> 2), (int) (length >> 2));
        } else if (buffer instanceof StridedArray strided) {
            strided.write(offset, source, sourceOffset, length);
        } else {
            copyShort(source, sourceOffset, segment(buffer), offset, length);
        }
    }

    /** Between segments: the library's copy takes long to begin. */
    private static void copyShort(
            MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long length) {
        if (length == Long.BYTES) {
            target.set(LONG, targetOffset, source.get(LONG, sourceOffset));
        } else {
            MemorySegment.copy(source, sourceOffset, target, targetOffset, length);
        }
    }

    /**
     * As {@link #copy(Object, long, MemorySegment, long, long)}, into memory outside the heap that lives as long as it is
     * reachable, as that of rings does. Short copies bypass the checks of bounds: the caller guarantees the range.
     */
    public static void write(Object buffer, long offset, MemorySegment target, long targetOffset, long length) {
        assert isWithin(target, targetOffset, length);
        if (length >= BULK || !RawMemory.reaches(target)) {
            copy(buffer, offset, target, targetOffset, length);
            return;
        }
        try {
            copyShort(buffer, offset, RawMemory.ALL, target.address() + targetOffset, length);
        } finally {
            Reference.reachabilityFence(target);
        }
    }

    /** As {@link #copy(MemorySegment, long, Object, long, long)}, out of memory as for {@link #write}. */
    public static void read(MemorySegment source, long sourceOffset, Object buffer, long offset, long length) {
        assert isWithin(source, sourceOffset, length);
        if (length >= BULK || !RawMemory.reaches(source)) {
            copy(source, sourceOffset, buffer, offset, length);
            return;
        }
        try {
            copyShort(RawMemory.ALL, source.address() + sourceOffset, buffer, offset, length);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    private static boolean isWithin(MemorySegment memory, long offset, long length) {
        return offset >= 0 && length <= memory.byteSize() - offset;
    }

    private static void copyInPlace(byte[] source, int offset, MemorySegment target, long targetOffset, int length) {
        if (length == Long.BYTES) {
            target.set(LONG, targetOffset, (long) LONG_IN_BYTES.get(source, offset));
            return;
        }
        for (int each = 0; each < length; each++) {
            target.set(JAVA_BYTE, targetOffset + each, source[offset + each]);
        }
    }

    private static void copyInPlace(MemorySegment source, long sourceOffset, byte[] target, int offset, int length) {
        if (length == Long.BYTES) {
            LONG_IN_BYTES.set(target, offset, source.get(LONG, sourceOffset));
            return;
        }
        for (int each = 0; each < length; each++) {
            target[offset + each] = source.get(JAVA_BYTE, sourceOffset + each);
        }
    }

    // a single number is a load and a store, anything else a call; in methods of their own, for the compiler does not
    // inline
    // what is longer than some 300 bytes

    private static void copy(double[] source, int first, MemorySegment target, long targetOffset, int count) {
        if (count == 1) {
            target.set(JAVA_DOUBLE_UNALIGNED, targetOffset, source[first]);
        } else {
            MemorySegment.copy(source, first, target, JAVA_DOUBLE_UNALIGNED, targetOffset, count);
        }
    }

    private static void copy(MemorySegment source, long sourceOffset, double[] target, int first, int count) {
        if (count == 1) {
            target[first] = source.get(JAVA_DOUBLE_UNALIGNED, sourceOffset);
        } else {
            MemorySegment.copy(source, JAVA_DOUBLE_UNALIGNED, sourceOffset, target, first, count);
        }
    }

    private static void copy(int[] source, int first, MemorySegment target, long targetOffset, int count) {
        if (count == 1) {
            target.set(JAVA_INT_UNALIGNED, targetOffset, source[first]);
        } else {
            MemorySegment.copy(source, first, target, JAVA_INT_UNALIGNED, targetOffset, count);
        }
    }

    private static void copy(MemorySegment source, long sourceOffset, int[] target, int first, int count) {
        if (count == 1) {
            target[first] = source.get(JAVA_INT_UNALIGNED, sourceOffset);
        } else {
            MemorySegment.copy(source, JAVA_INT_UNALIGNED, sourceOffset, target, first, count);
        }
    }

    private static void copy(long[] source, int first, MemorySegment target, long targetOffset, int count) {
        if (count == 1) {
            target.set(JAVA_LONG_UNALIGNED, targetOffset, source[first]);
        } else {
            MemorySegment.copy(source, first, target, JAVA_LONG_UNALIGNED, targetOffset, count);
        }
    }

    private static void copy(MemorySegment source, long sourceOffset, long[] target, int first, int count) {
        if (count == 1) {
            target[first] = source.get(JAVA_LONG_UNALIGNED, sourceOffset);
        } else {
            MemorySegment.copy(source, JAVA_LONG_UNALIGNED, sourceOffset, target, first, count);
        }
    }

    private static void copy(float[] source, int first, MemorySegment target, long targetOffset, int count) {
        if (count == 1) {
            target.set(JAVA_FLOAT_UNALIGNED, targetOffset, source[first]);
        } else {
            MemorySegment.copy(source, first, target, JAVA_FLOAT_UNALIGNED, targetOffset, count);
        }
    }

    private static void copy(MemorySegment source, long sourceOffset, float[] target, int first, int count) {
        if (count == 1) {
            target[first] = source.get(JAVA_FLOAT_UNALIGNED, sourceOffset);
        } else {
            MemorySegment.copy(source, JAVA_FLOAT_UNALIGNED, sourceOffset, target, first, count);
        }
    }

    /** Whether a range consists of whole elements, as it always does but for a message truncated in the middle of one. */
    private static boolean areWhole(long offset, long length, int elementBytes) {
        return ((offset | length) & (elementBytes - 1)) == 0;
    }
}
