package org.galerna.applications.cosmology;

import java.util.Arrays;

/** Sorts indexes by keys of 60 bits, digit by digit, and those with the same key by their names. Not thread-safe. */
final class KeySort {
    private static final int DIGIT_BITS = 12;
    private static final int DIGITS = 3 * HilbertCurve.LEVELS / DIGIT_BITS;
    private static final int VALUES = 1 << DIGIT_BITS;

    private int[] order = {};
    private int[] other = {};
    private final int[] starts = new int[VALUES];

    /** The indexes of keys in ascending order; valid until the next call. */
    int[] order(long[] keys, long[] names, int count) {
        if (order.length < count) {
            order = new int[count + count / 4];
            other = new int[order.length];
        }
        for (int index = 0; index < count; index++) {
            order[index] = index;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            sortBy(keys, count, digit * DIGIT_BITS);
        }
        sortTies(keys, names, count);
        return order;
    }

    private void sortBy(long[] keys, int count, int shift) {
        Arrays.fill(starts, 0);
        for (int index = 0; index < count; index++) {
            starts[(int) (keys[index] >>> shift) & (VALUES - 1)]++;
        }
        int sum = 0;
        for (int value = 0; value < VALUES; value++) {
            int here = starts[value];
            starts[value] = sum;
            sum += here;
        }
        for (int place = 0; place < count; place++) {
            int index = order[place];
            other[starts[(int) (keys[index] >>> shift) & (VALUES - 1)]++] = index;
        }
        int[] swap = order;
        order = other;
        other = swap;
    }

    /** Such runs are short, so that insertion is quick enough. */
    private void sortTies(long[] keys, long[] names, int count) {
        for (int place = 1; place < count; place++) {
            int index = order[place];
            int hole = place;
            while (hole > 0 && keys[order[hole - 1]] == keys[index] && names[order[hole - 1]] > names[index]) {
                order[hole] = order[hole - 1];
                hole--;
            }
            order[hole] = index;
        }
    }
}
