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

    static void sum(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] + inOut[i];
        }
    }

    static void product(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] * inOut[i];
        }
    }

    static void maximum(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.min(in[i], inOut[i]);
        }
    }

    static void bitwiseAnd(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] & inOut[i];
        }
    }

    static void bitwiseOr(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] | inOut[i];
        }
    }

    static void bitwiseXor(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] ^ inOut[i];
        }
    }

    static void logicalAnd(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] != 0 && inOut[i] != 0 ? 1 : 0;
        }
    }

    static void logicalOr(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] != 0 || inOut[i] != 0 ? 1 : 0;
        }
    }

    static void logicalXor(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (in[i] != 0) != (inOut[i] != 0) ? 1 : 0;
        }
    }

    static void maximumLocation(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            int left = in[i];
            int right = inOut[i];
            if (left > right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }

    static void minimumLocation(int[] in, int[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            int left = in[i];
            int right = inOut[i];
            if (left < right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }
}
