package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 64-bit integers.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class LongLoops {
    private LongLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<long[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> LongLoops::sum;
            case PROD -> LongLoops::product;
            case MAX -> LongLoops::maximum;
            case MIN -> LongLoops::minimum;
            case BAND -> LongLoops::bitwiseAnd;
            case BOR -> LongLoops::bitwiseOr;
            case BXOR -> LongLoops::bitwiseXor;
            case LAND -> LongLoops::logicalAnd;
            case LOR -> LongLoops::logicalOr;
            case LXOR -> LongLoops::logicalXor;
            case MAXLOC -> LongLoops::maximumLocation;
            case MINLOC -> LongLoops::minimumLocation;
        };
    }

    static void sum(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] + inOut[inOutFrom + i];
        }
    }

    static void product(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] * inOut[inOutFrom + i];
        }
    }

    static void maximum(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void bitwiseAnd(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] & inOut[inOutFrom + i];
        }
    }

    static void bitwiseOr(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] | inOut[inOutFrom + i];
        }
    }

    static void bitwiseXor(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] ^ inOut[inOutFrom + i];
        }
    }

    static void logicalAnd(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] != 0 && inOut[inOutFrom + i] != 0 ? 1L : 0L;
        }
    }

    static void logicalOr(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = in[inFrom + i] != 0 || inOut[inOutFrom + i] != 0 ? 1L : 0L;
        }
    }

    static void logicalXor(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (in[inFrom + i] != 0) != (inOut[inOutFrom + i] != 0) ? 1L : 0L;
        }
    }

    static void maximumLocation(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            long left = in[inFrom + i];
            long right = inOut[inOutFrom + i];
            if (left > right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }

    static void minimumLocation(long[] in, int inFrom, long[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            long left = in[inFrom + i];
            long right = inOut[inOutFrom + i];
            if (left < right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }
}
