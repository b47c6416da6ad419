package org.galerna.collectives;

/** Numbers that look random and are a function of (seed, rank, index), so that any rank knows what another has. */
final class Values {
    private Values() {}

    static long number(long seed, int rank, long index) {
        long mixed = seed * 0x9E3779B97F4A7C15L + rank * 0xC2B2AE3D27D4EB4FL + index * 0x165667B19E3779F9L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 32);
    }

    static void fill(byte[] buffer, int from, int length, long seed, int rank) {
        long bits = 0;
        for (int i = 0; i < length; i++) {
            if (i % Long.BYTES == 0) {
                bits = number(seed, rank, i);
            }
            buffer[from + i] = (byte) bits;
            bits >>>= Byte.SIZE;
        }
    }
}
