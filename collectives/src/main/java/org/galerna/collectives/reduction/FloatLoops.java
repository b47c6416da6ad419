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

    static void sum(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] + inOut[inOutFrom + i];
        }
    }

    static void product(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] * inOut[inOutFrom + i];
        }
    }

    static void maximum(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void maximumLocation(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            float left = in[inFrom + i];
            float right = inOut[inOutFrom + i];
            if (left > right || (Float.isNaN(left) && !Float.isNaN(right))) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right || (Float.isNaN(left) && Float.isNaN(right))) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }

    static void minimumLocation(float[] in, int inFrom, float[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            float left = in[inFrom + i];
            float right = inOut[inOutFrom + i];
            if (left < right || (Float.isNaN(left) && !Float.isNaN(right))) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right || (Float.isNaN(left) && Float.isNaN(right))) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }
}
