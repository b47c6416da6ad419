package org.galerna.collectives.reduction;

import org.jspecify.annotations.Nullable;

/**
 * The operations on 8-bit integers.
 *
 * <p>The loops are kept plain for the compiler to vectorize them.
 */
final class ByteLoops {
    private ByteLoops() {}

    /** The loop of an operation; null if there is none for this type. */
    static @Nullable Loop<byte[]> of(Operator operator) {
        return switch (operator) {
            case SUM -> ByteLoops::sum;
            case PROD -> ByteLoops::product;
            case MAX -> ByteLoops::maximum;
            case MIN -> ByteLoops::minimum;
            case BAND -> ByteLoops::bitwiseAnd;
            case BOR -> ByteLoops::bitwiseOr;
            case BXOR -> ByteLoops::bitwiseXor;
            case LAND -> ByteLoops::logicalAnd;
            case LOR -> ByteLoops::logicalOr;
            case LXOR -> ByteLoops::logicalXor;
            case MAXLOC, MINLOC -> null;
        };
    }

    static void sum(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] + inOut[i]);
        }
    }

    static void product(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] * inOut[i]);
        }
    }

    static void maximum(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) Math.max(in[i], inOut[i]);
        }
    }

    static void minimum(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) Math.min(in[i], inOut[i]);
        }
    }

    static void bitwiseAnd(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] & inOut[i]);
        }
    }

    static void bitwiseOr(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] | inOut[i]);
        }
    }

    static void bitwiseXor(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] ^ inOut[i]);
        }
    }

    static void logicalAnd(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] != 0 && inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalOr(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) (in[i] != 0 || inOut[i] != 0 ? 1 : 0);
        }
    }

    static void logicalXor(byte[] in, byte[] inOut, int from, int to) {
        for (int i = from; i < to; i++) {
            inOut[i] = (byte) ((in[i] != 0) != (inOut[i] != 0) ? 1 : 0);
        }
    }
}
