package org.galerna.link.handshake;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * SHA-256 as FIPS 180-4 describes it. The platform's digests look through its providers first, which takes a starting rank a tenth of a
 * second of processor time, and its {@code Mac} half as much again; a rank needs some short ones. Nothing in it depends on the bytes but the
 * numbers themselves, so that its time tells nothing of a key. For one thread at a time.
 */
final class Sha256 {
    /** Bytes of a digest. */
    static final int BYTES = 32;

    /** Bytes that are taken at a time. */
    static final int BLOCK = 64;

    private static final int ROUNDS = 64;

    /** In front of the length, at the end. */
    private static final byte MARK = (byte) 0x80;

    private static final int[] CONSTANTS = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
    };

    private static final int[] BEGINNING = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    private final int[] state;
    private final byte[] block;
    private final int[] schedule = new int[ROUNDS];
    private int filled;
    private long length;

    /** The digest of nothing so far. */
    Sha256() {
        this.state = BEGINNING.clone();
        this.block = new byte[BLOCK];
    }

    /** Goes on from what another one has taken. */
    Sha256(Sha256 begun) {
        this.state = begun.state.clone();
        this.block = begun.block.clone();
        this.filled = begun.filled;
        this.length = begun.length;
    }

    /** Takes more bytes. */
    void update(byte[] bytes) {
        length += bytes.length;
        for (int at = 0; at < bytes.length; ) {
            int taken = Math.min(BLOCK - filled, bytes.length - at);
            System.arraycopy(bytes, at, block, filled, taken);
            filled += taken;
            at += taken;
            if (filled == BLOCK) {
                compress();
            }
        }
    }

    /** The digest of all that was taken; this one is of no use any more. */
    byte[] digest() {
        long bits = length * Byte.SIZE;
        block[filled++] = MARK;
        if (filled > BLOCK - Long.BYTES) {
            Arrays.fill(block, filled, BLOCK, (byte) 0);
            compress();
        }
        Arrays.fill(block, filled, BLOCK, (byte) 0);
        ByteBuffer.wrap(block).order(BIG_ENDIAN).putLong(BLOCK - Long.BYTES, bits);
        compress();
        ByteBuffer digest = ByteBuffer.allocate(BYTES).order(BIG_ENDIAN);
        for (int word : state) {
            digest.putInt(word);
        }
        return digest.array();
    }

    private void compress() {
        filled = 0;
        int[] words = schedule;
        ByteBuffer bytes = ByteBuffer.wrap(block).order(BIG_ENDIAN);
        for (int i = 0; i < 16; i++) {
            words[i] = bytes.getInt(i * Integer.BYTES);
        }
        for (int i = 16; i < ROUNDS; i++) {
            int near = words[i - 2];
            int far = words[i - 15];
            words[i] = words[i - 16]
                    + words[i - 7]
                    + (Integer.rotateRight(far, 7) ^ Integer.rotateRight(far, 18) ^ (far >>> 3))
                    + (Integer.rotateRight(near, 17) ^ Integer.rotateRight(near, 19) ^ (near >>> 10));
        }
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        int e = state[4];
        int f = state[5];
        int g = state[6];
        int h = state[7];
        for (int i = 0; i < ROUNDS; i++) {
            int mixed = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
            int one = h + mixed + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i];
            int turned = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
            int other = turned + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + one;
            d = c;
            c = b;
            b = a;
            a = one + other;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}
