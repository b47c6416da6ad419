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

    static void sum(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] + inOut[inOutFrom + i];
        }
    }

    static void product(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] * inOut[inOutFrom + i];
        }
    }

    static void maximum(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void maximumLocation(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            double left = in[inFrom + i];
            double right = inOut[inOutFrom + i];
            if (left > right || (Double.isNaN(left) && !Double.isNaN(right))) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right || (Double.isNaN(left) && Double.isNaN(right))) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }

    static void minimumLocation(double[] in, int inFrom, double[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            double left = in[inFrom + i];
            double right = inOut[inOutFrom + i];
            if (left < right || (Double.isNaN(left) && !Double.isNaN(right))) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right || (Double.isNaN(left) && Double.isNaN(right))) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }
}
