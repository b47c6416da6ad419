package org.galerna.mpj;

/**
 * Copies runs of elements that are a fixed distance apart, between two arrays of one element type. Packing a column of
 * a matrix is one such copy, and a loop over the type itself runs at the speed of memory where a call of
 * {@link System#arraycopy} for each element does not.
 */
final class StridedCopy {
    /** From this length on, one block copy is faster than a loop over the elements. */
    private static final int BLOCK_COPY = 16;

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
        if (length >= BLOCK_COPY || runs == 1) {
            for (int run = 0; run < runs; run++) {
                System.arraycopy(from, fromStart + run * fromStride, to, toStart + run * toStride, length);
            }
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

    private static void bytes(
            byte[] from, int fromStart, int fromStride, byte[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }

    private static void chars(
            char[] from, int fromStart, int fromStride, char[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }

    private static void shorts(
            short[] from, int fromStart, int fromStride, short[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
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
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }

    private static void ints(
            int[] from, int fromStart, int fromStride, int[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }

    private static void longs(
            long[] from, int fromStart, int fromStride, long[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }

    private static void floats(
            float[] from, int fromStart, int fromStride, float[] to, int toStart, int toStride, int length, int runs) {
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
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
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
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
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < length; i++) {
                to[toStart + run * toStride + i] = from[fromStart + run * fromStride + i];
            }
        }
    }
}
