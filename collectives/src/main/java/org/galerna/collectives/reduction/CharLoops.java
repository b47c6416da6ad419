package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on characters, which count as unsigned 16-bit integers.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class CharLoops {
    private CharLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<char[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> CharLoops::sum;
            case PROD -> CharLoops::product;
            case MAX -> CharLoops::maximum;
            case MIN -> CharLoops::minimum;
            case BAND -> CharLoops::bitwiseAnd;
            case BOR -> CharLoops::bitwiseOr;
            case BXOR -> CharLoops::bitwiseXor;
            case LAND -> CharLoops::logicalAnd;
            case LOR -> CharLoops::logicalOr;
            case LXOR -> CharLoops::logicalXor;
            case MAXLOC, MINLOC -> null;
        };
    }

    static void sum(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] + inOut[i]);
        }
    }

    static void product(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] * inOut[i]);
        }
    }

    static void maximum(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) Math.min(in[i], inOut[i]);
        }
    }

    static void bitwiseAnd(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] & inOut[i]);
        }
    }

    static void bitwiseOr(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] | inOut[i]);
        }
    }

    static void bitwiseXor(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] ^ inOut[i]);
        }
    }

    static void logicalAnd(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] != 0 && inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalOr(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) (in[i] != 0 || inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalXor(char[] in, char[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (char) ((in[i] != 0) != (inOut[i] != 0) ? 1 : 0);
        }
    }
}
