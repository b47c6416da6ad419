package org.galerna.memory;

import java.lang.foreign.MemorySegment;

/**
 * Copies runs of elements that are a fixed distance apart, between two arrays of one element type or memory with
 * such elements. Packing a column of a matrix is one such copy.
 *
 * <p>Speed: a block copy between arrays whose type the compiler does not know costs as much as copying some fifty
 * elements, a nested loop as much as some ten. So there is a method for each type, with a loop of its own for runs of one
 * element and of two (complex numbers); longer ones are block copies of known type. What is copied often gets a
 * {@linkplain StridedLoops loop made for it}.
 */
public final class StridedCopy {
    private StridedCopy() {}

    /**
     * Copies {@code runs} runs of {@code length} elements. Both sides are arrays of one type, or at least one is a
     * segment; positions are in elements even so.
     *
     * @param elementBytes bytes of an element, where a segment is concerned
     * @param fromStride distance of the runs' first elements in {@code from}; {@code toStride} likewise
     */
    public static void copy(
            int elementBytes,
            Object from,
            int fromStart,
            int fromStride,
            Object to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        if (from instanceof MemorySegment || to instanceof MemorySegment) {
            segments(elementBytes, from, fromStart, fromStride, to, toStart, toStride, length, runs);
            return;
        }
        StridedLoop loop = StridedLoops.find(from.getClass(), length, fromStride, toStride, runs);
        if (loop != null) {
            loop.copy(from, fromStart, to, toStart, runs);
            return;
        }
        switch (from) {
            case byte[] array -> bytes(array, fromStart, fromStride, (byte[]) to, toStart, toStride, length, runs);
            case char[] array -> chars(array, fromStart, fromStride, (char[]) to, toStart, toStride, length, runs);
            case short[] array -> shorts(array, fromStart, fromStride, (short[]) to, toStart, toStride, length, runs);
            case boolean[] array ->
                booleans(array, fromStart, fromStride, (boolean[]) to, toStart, toStride, length, runs);
            case int[] array -> ints(array, fromStart, fromStride, (int[]) to, toStart, toStride, length, runs);
            case long[] array -> longs(array, fromStart, fromStride, (long[]) to, toStart, toStride, length, runs);
            case float[] array -> floats(array, fromStart, fromStride, (float[]) to, toStart, toStride, length, runs);
            case double[] array ->
                doubles(array, fromStart, fromStride, (double[]) to, toStart, toStride, length, runs);
            case Object[] array ->
                objects(array, fromStart, fromStride, (Object[]) to, toStart, toStride, length, runs);
            default ->
                throw new IllegalArgumentException(
                        "neither an array nor a segment: " + from.getClass().getTypeName());
        }
    }

    /** As {@link #copy}, where one side or both are segments; positions are still in elements. */
    private static void segments(
            int bytes,
            Object from,
            int fromStart,
            int fromStride,
            Object to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        MemorySegment source = Buffers.segment(from);
        MemorySegment target = Buffers.segment(to);
        for (int run = 0; run < runs; run++) {
            long sourceStart = (fromStart + (long) run * fromStride) * bytes;
            long targetStart = (toStart + (long) run * toStride) * bytes;
            MemorySegment.copy(source, sourceStart, target, targetStart, (long) length * bytes);
        }
    }

    private static void bytes(
            byte[] from, int fromStart, int fromStride, byte[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void chars(
            char[] from, int fromStart, int fromStride, char[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void shorts(
            short[] from, int fromStart, int fromStride, short[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void booleans(
            boolean[] from,
            int fromStart,
            int fromStride,
            boolean[] to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void ints(
            int[] from, int fromStart, int fromStride, int[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void longs(
            long[] from, int fromStart, int fromStride, long[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void floats(
            float[] from, int fromStart, int fromStride, float[] to, int toStart, int toStride, int length, int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void doubles(
            double[] from,
            int fromStart,
            int fromStride,
            double[] to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        int source = fromStart;
        int target = toStart;
        if (length == 1) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                source += fromStride;
                target += toStride;
            }
        } else if (length == 2) {
            for (int run = 0; run < runs; run++) {
                to[target] = from[source];
                to[target + 1] = from[source + 1];
                source += fromStride;
                target += toStride;
            }
        } else {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, source, to, target, length);
                source += fromStride;
                target += toStride;
            }
        }
    }

    private static void objects(
            Object[] from,
            int fromStart,
            int fromStride,
            Object[] to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        int source = fromStart;
        int target = toStart;
        for (int run = 0; run < runs; run++) {
            System.arraycopy(from, source, to, target, length);
            source += fromStride;
            target += toStride;
        }
    }
}
