package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 32-bit floating point numbers. A NaN wins over any number, with locations too.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class FloatLoops {
    private FloatLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<float[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> FloatLoops::sum;
            case PROD -> FloatLoops::product;
            case MAX -> FloatLoops::maximum;
            case MIN -> FloatLoops::minimum;
            case MAXLOC -> FloatLoops::maximumLocation;
            case MINLOC -> FloatLoops::minimumLocation;
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> null;
        };
    }

    static void sum(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] + inOut[i];
        }
    }

    static void product(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] * inOut[i];
        }
    }

    static void maximum(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.min(in[i], inOut[i]);
        }
    }

    static void maximumLocation(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            float left = in[i];
            float right = inOut[i];
            if (left > right || (Float.isNaN(left) && !Float.isNaN(right))) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right || (Float.isNaN(left) && Float.isNaN(right))) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }

    static void minimumLocation(float[] in, float[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            float left = in[i];
            float right = inOut[i];
            if (left < right || (Float.isNaN(left) && !Float.isNaN(right))) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right || (Float.isNaN(left) && Float.isNaN(right))) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }
}
