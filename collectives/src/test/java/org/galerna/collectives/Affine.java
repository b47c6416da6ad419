package org.galerna.collectives;

import org.galerna.collectives.reduction.Reduction;

/**
 * Composition of the maps {@code x -> a x + b} on pairs {@code (a, b)} of an array of longs: associative, and any two
 * operands in the wrong order show.
 */
final class Affine implements Reduction {
    static final Affine INSTANCE = new Affine();

    @Override
    public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
        long[] left = (long[]) in;
        long[] right = (long[]) inOut;
        int leftFrom = (int) (inOffset / Long.BYTES);
        int rightFrom = (int) (inOutOffset / Long.BYTES);
        for (int i = 0; i < 2 * count; i += 2) {
            long factor = left[leftFrom + i];
            right[rightFrom + i + 1] = factor * right[rightFrom + i + 1] + left[leftFrom + i + 1];
            right[rightFrom + i] = factor * right[rightFrom + i];
        }
    }

    @Override
    public int elementSize() {
        return 2 * Long.BYTES;
    }

    @Override
    public boolean commutative() {
        return false;
    }

    @Override
    public Object allocate(int count) {
        return new long[2 * count];
    }

    @Override
    public Class<?> memoryType() {
        return long[].class;
    }
}
