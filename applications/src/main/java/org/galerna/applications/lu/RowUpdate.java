package org.galerna.applications.lu;

/**
 * Subtracts multiples of rows from other rows, two from four at once: what is read is used several times while it is in a
 * register. Plain loops over arrays of their own, which become vector code.
 */
final class RowUpdate {
    private RowUpdate() {}

    /**
     * {@code one[c] -= factors[placeOfOne + r] * upper[r][c]}, and {@code two} likewise.
     *
     * @param width rows of {@code upper}
     * @param length columns
     */
    static void subtract(
            double[] one,
            double[] two,
            double[][] upper,
            double[] factors,
            int placeOfOne,
            int placeOfTwo,
            int width,
            int length) {
        int row = 0;
        for (; row < width - 3; row += 4) {
            subtractFour(
                    one,
                    two,
                    upper[row],
                    upper[row + 1],
                    upper[row + 2],
                    upper[row + 3],
                    -factors[placeOfOne + row],
                    -factors[placeOfOne + row + 1],
                    -factors[placeOfOne + row + 2],
                    -factors[placeOfOne + row + 3],
                    -factors[placeOfTwo + row],
                    -factors[placeOfTwo + row + 1],
                    -factors[placeOfTwo + row + 2],
                    -factors[placeOfTwo + row + 3],
                    length);
        }
        for (; row < width; row++) {
            subtract(one, upper[row], factors[placeOfOne + row], 0, length);
            subtract(two, upper[row], factors[placeOfTwo + row], 0, length);
        }
    }

    private static void subtractFour(
            double[] one,
            double[] two,
            double[] row0,
            double[] row1,
            double[] row2,
            double[] row3,
            double one0,
            double one1,
            double one2,
            double one3,
            double two0,
            double two1,
            double two2,
            double two3,
            int length) {
        for (int column = 0; column < length; column++) {
            double element0 = row0[column];
            double element1 = row1[column];
            double element2 = row2[column];
            double element3 = row3[column];
            one[column] = Math.fma(
                    one3,
                    element3,
                    Math.fma(one2, element2, Math.fma(one1, element1, Math.fma(one0, element0, one[column]))));
            two[column] = Math.fma(
                    two3,
                    element3,
                    Math.fma(two2, element2, Math.fma(two1, element1, Math.fma(two0, element0, two[column]))));
        }
    }

    /** {@code target[c] -= factor * source[c]}. */
    static void subtract(double[] target, double[] source, double factor, int from, int to) {
        for (int column = from; column < to; column++) {
            target[column] = Math.fma(-factor, source[column], target[column]);
        }
    }
}
