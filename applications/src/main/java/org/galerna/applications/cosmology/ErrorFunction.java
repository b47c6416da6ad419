package org.galerna.applications.cosmology;

/** The complement of the error function. */
final class ErrorFunction {
    private static final double LARGE = 6;

    private ErrorFunction() {}

    /** {@code erfc(x)} of a number from 0, with an error of some 1e-16: by the series of the error function, whose terms are positive. */
    static double complement(double x) {
        if (x >= LARGE) {
            return 0; // below 1e-16
        }
        double term = x;
        double sum = x;
        for (int n = 1; term > 1e-18 * sum; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 1 - 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }
}
