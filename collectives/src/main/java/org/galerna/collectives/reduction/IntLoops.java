package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 32-bit integers.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class IntLoops {
    private IntLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<int[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> IntLoops::sum;
            case PROD -> IntLoops::product;
            case MAX -> IntLoops::maximum;
            case MIN -> IntLoops::minimum;
            case BAND -> IntLoops::bitwiseAnd;
            case BOR -> IntLoops::bitwiseOr;
            case BXOR -> IntLoops::bitwiseXor;
            case LAND -> IntLoops::logicalAnd;
            case LOR -> IntLoops::logicalOr;
            case LXOR -> IntLoops::logicalXor;
            case MAXLOC -> IntLoops::maximumLocation;
            case MINLOC -> IntLoops::minimumLocation;
        };
    }

    static void sum(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] + inOut[inOutFrom + i];
        }
    }

    static void product(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] * inOut[inOutFrom + i];
        }
    }

    static void maximum(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void bitwiseAnd(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] & inOut[inOutFrom + i];
        }
    }

    static void bitwiseOr(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] | inOut[inOutFrom + i];
        }
    }

    static void bitwiseXor(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] ^ inOut[inOutFrom + i];
        }
    }

    static void logicalAnd(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] != 0 && inOut[inOutFrom + i] != 0 ? 1 : 0;
        }
    }

    static void logicalOr(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] != 0 || inOut[inOutFrom + i] != 0 ? 1 : 0;
        }
    }

    static void logicalXor(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (in[inFrom + i] != 0) != (inOut[inOutFrom + i] != 0) ? 1 : 0;
        }
    }

    static void maximumLocation(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            int left = in[inFrom + i];
            int right = inOut[inOutFrom + i];
            if (left > right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }

    static void minimumLocation(int[] in, int inFrom, int[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            int left = in[inFrom + i];
            int right = inOut[inOutFrom + i];
            if (left < right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }
}
