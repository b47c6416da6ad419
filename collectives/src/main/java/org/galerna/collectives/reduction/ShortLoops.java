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

    static void sum(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] + inOut[inOutFrom + i]);
        }
    }

    static void product(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] * inOut[inOutFrom + i]);
        }
    }

    static void maximum(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void bitwiseAnd(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] & inOut[inOutFrom + i]);
        }
    }

    static void bitwiseOr(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] | inOut[inOutFrom + i]);
        }
    }

    static void bitwiseXor(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] ^ inOut[inOutFrom + i]);
        }
    }

    static void logicalAnd(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] != 0 && inOut[inOutFrom + i] != 0 ? 1 : 0);
        }
    }

    static void logicalOr(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) (in[inFrom + i] != 0 || inOut[inOutFrom + i] != 0 ? 1 : 0);
        }
    }

    static void logicalXor(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (short) ((in[inFrom + i] != 0) != (inOut[inOutFrom + i] != 0) ? 1 : 0);
        }
    }

    static void maximumLocation(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            short left = in[inFrom + i];
            short right = inOut[inOutFrom + i];
            if (left > right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = (short) Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }

    static void minimumLocation(short[] in, int inFrom, short[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            short left = in[inFrom + i];
            short right = inOut[inOutFrom + i];
            if (left < right) {
                inOut[inOutFrom + i] = left;
                inOut[inOutFrom + i + 1] = in[inFrom + i + 1];
            } else if (left == right) {
                inOut[inOutFrom + i + 1] = (short) Math.min(in[inFrom + i + 1], inOut[inOutFrom + i + 1]);
            }
        }
    }
}
