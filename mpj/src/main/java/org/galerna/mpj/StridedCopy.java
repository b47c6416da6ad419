package org.galerna.mpj;

import java.lang.foreign.MemorySegment;
import org.galerna.memory.Buffers;

/**
 * Copies runs of elements that are a fixed distance apart, between two arrays of one element type or memory with
 * such elements. Packing a column of a matrix is one such copy.
 *
 * <p>Speed: a block copy between arrays whose type the compiler does not know costs as much as copying some fifty
 * elements, a nested loop as much as some ten. So there is a method for each type, with a loop of its own for runs of one
 * element and of two (complex numbers); longer ones are block copies of known type.
 */
final class StridedCopy {
    private StridedCopy() {}

    /**
     * Copies {@code runs} runs of {@code length} elements.
     *
     * @param fromStride distance of the runs' first elements in {@code from}; {@code toStride} likewise
     */
    static void copy(
            ElementType type,
            Object from,
            int fromStart,
            int fromStride,
            Object to,
            int toStart,
            int toStride,
            int length,
            int runs) {
        if (!from.getClass().isArray() || !to.getClass().isArray()) {
            segments(type.bytes(), from, fromStart, fromStride, to, toStart, toStride, length, runs);
            return;
        }
        switch (type) {
            case BYTE -> bytes((byte[]) from, fromStart, fromStride, (byte[]) to, toStart, toStride, length, runs);
            case CHAR -> chars((char[]) from, fromStart, fromStride, (char[]) to, toStart, toStride, length, runs);
            case SHORT -> shorts((short[]) from, fromStart, fromStride, (short[]) to, toStart, toStride, length, runs);
            case BOOLEAN ->
                booleans((boolean[]) from, fromStart, fromStride, (boolean[]) to, toStart, toStride, length, runs);
            case INT -> ints((int[]) from, fromStart, fromStride, (int[]) to, toStart, toStride, length, runs);
            case LONG -> longs((long[]) from, fromStart, fromStride, (long[]) to, toStart, toStride, length, runs);
            case FLOAT -> floats((float[]) from, fromStart, fromStride, (float[]) to, toStart, toStride, length, runs);
            case DOUBLE ->
                doubles((double[]) from, fromStart, fromStride, (double[]) to, toStart, toStride, length, runs);
            case OBJECT ->
                objects((Object[]) from, fromStart, fromStride, (Object[]) to, toStart, toStride, length, runs);
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
