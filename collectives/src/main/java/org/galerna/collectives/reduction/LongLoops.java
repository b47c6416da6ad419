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

    static void sum(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] + inOut[i];
        }
    }

    static void product(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] * inOut[i];
        }
    }

    static void maximum(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = Math.min(in[i], inOut[i]);
        }
    }

    static void bitwiseAnd(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] & inOut[i];
        }
    }

    static void bitwiseOr(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] | inOut[i];
        }
    }

    static void bitwiseXor(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] ^ inOut[i];
        }
    }

    static void logicalAnd(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] != 0 && inOut[i] != 0 ? 1L : 0L;
        }
    }

    static void logicalOr(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = in[i] != 0 || inOut[i] != 0 ? 1L : 0L;
        }
    }

    static void logicalXor(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (in[i] != 0) != (inOut[i] != 0) ? 1L : 0L;
        }
    }

    static void maximumLocation(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            long left = in[i];
            long right = inOut[i];
            if (left > right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }

    static void minimumLocation(long[] in, long[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            long left = in[i];
            long right = inOut[i];
            if (left < right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }
}
