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

    static void sum(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] + inOut[inOutFrom + i]);
        }
    }

    static void product(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] * inOut[inOutFrom + i]);
        }
    }

    static void maximum(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) Math.max(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void minimum(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) Math.min(in[inFrom + i], inOut[inOutFrom + i]);
        }
    }

    static void bitwiseAnd(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] & inOut[inOutFrom + i]);
        }
    }

    static void bitwiseOr(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] | inOut[inOutFrom + i]);
        }
    }

    static void bitwiseXor(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] ^ inOut[inOutFrom + i]);
        }
    }

    static void logicalAnd(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] != 0 && inOut[inOutFrom + i] != 0 ? 1 : 0);
        }
    }

    static void logicalOr(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) (in[inFrom + i] != 0 || inOut[inOutFrom + i] != 0 ? 1 : 0);
        }
    }

    static void logicalXor(byte[] in, int inFrom, byte[] inOut, int inOutFrom, int count) {
        for (int i = 0; i < count; i++) {
            inOut[inOutFrom + i] = (byte) ((in[inFrom + i] != 0) != (inOut[inOutFrom + i] != 0) ? 1 : 0);
        }
    }
}
