package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 16-bit integers.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class ShortLoops {
    private ShortLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<short[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> ShortLoops::sum;
            case PROD -> ShortLoops::product;
            case MAX -> ShortLoops::maximum;
            case MIN -> ShortLoops::minimum;
            case BAND -> ShortLoops::bitwiseAnd;
            case BOR -> ShortLoops::bitwiseOr;
            case BXOR -> ShortLoops::bitwiseXor;
            case LAND -> ShortLoops::logicalAnd;
            case LOR -> ShortLoops::logicalOr;
            case LXOR -> ShortLoops::logicalXor;
            case MAXLOC -> ShortLoops::maximumLocation;
            case MINLOC -> ShortLoops::minimumLocation;
        };
    }

    static void sum(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] + inOut[i]);
        }
    }

    static void product(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] * inOut[i]);
        }
    }

    static void maximum(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) Math.min(in[i], inOut[i]);
        }
    }

    static void bitwiseAnd(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] & inOut[i]);
        }
    }

    static void bitwiseOr(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] | inOut[i]);
        }
    }

    static void bitwiseXor(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] ^ inOut[i]);
        }
    }

    static void logicalAnd(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] != 0 && inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalOr(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) (in[i] != 0 || inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalXor(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (short) ((in[i] != 0) != (inOut[i] != 0) ? 1 : 0);
        }
    }

    static void maximumLocation(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            short left = in[i];
            short right = inOut[i];
            if (left > right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = (short) Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }

    static void minimumLocation(short[] in, short[] inOut, int from, int to) {
        for (int i = from; i < to; i += 2) {
            short left = in[i];
            short right = inOut[i];
            if (left < right) {
                inOut[i] = left;
                inOut[i + 1] = in[i + 1];
            } else if (left == right) {
                inOut[i + 1] = (short) Math.min(in[i + 1], inOut[i + 1]);
            }
        }
    }
}
