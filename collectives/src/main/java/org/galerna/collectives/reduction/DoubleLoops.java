package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 64-bit floating point numbers. A NaN wins over any number, with locations too.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class DoubleLoops {
    private DoubleLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<double[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> DoubleLoops::sum;
            case PROD -> DoubleLoops::product;
            case MAX -> DoubleLoops::maximum;
            case MIN -> DoubleLoops::minimum;
            case MAXLOC -> DoubleLoops::maximumLocation;
            case MINLOC -> DoubleLoops::minimumLocation;
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> null;
        };
    }

    static void sum(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] + inOut[i];
        }
    }

    static void product(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] * inOut[i];
        }
    }

    static void maximum(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.min(in[i], inOut[i]);
        }
    }

    static void maximumLocation(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            double left = in[i];
            double right = inOut[i];
            if (left > right || (Double.isNaN(left) && !Double.isNaN(right))) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right || (Double.isNaN(left) && Double.isNaN(right))) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }

    static void minimumLocation(double[] in, double[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            double left = in[i];
            double right = inOut[i];
            if (left < right || (Double.isNaN(left) && !Double.isNaN(right))) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right || (Double.isNaN(left) && Double.isNaN(right))) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }
}
