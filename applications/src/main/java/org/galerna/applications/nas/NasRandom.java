package org.galerna.applications.nas;

/**
 * The generator of the specification: {@code x(k+1) = a x(k) mod 2^46}, as numbers {@code 2^-46 x(k)} in (0, 1). Products
 * of {@code long} are exact modulo 2^64, and so modulo 2^46.
 */
final class NasRandom {
    /** The multiplier of the specification, 5^13. */
    static final long MULTIPLIER = 1_220_703_125L;

    /** The seed of all kernels but EP. */
    static final long SEED = 314_159_265L;

    private static final long MASK = (1L << 46) - 1;
    private static final double SCALE = 0x1p-46;

    private long state;

    /** Starts with a seed. */
    NasRandom(long seed) {
        this.state = seed;
    }

    /** Starts as if {@code steps} numbers had been drawn. */
    static NasRandom after(long seed, long steps) {
        return new NasRandom(step(seed, power(MULTIPLIER, steps)));
    }

    /** The next number. */
    double next() {
        state = step(state, MULTIPLIER);
        return toDouble(state);
    }

    /** The state of a generator with another multiplier, one step on. */
    static long step(long state, long multiplier) {
        return state * multiplier & MASK;
    }

    /** The number that a state means. */
    static double toDouble(long state) {
        return state * SCALE;
    }

    /** The multiplier of {@code steps} steps at once. */
    static long power(long multiplier, long steps) {
        long result = 1;
        long square = multiplier;
        for (long left = steps; left > 0; left >>= 1) {
            if ((left & 1) != 0) {
                result = step(result, square);
            }
            square = step(square, square);
        }
        return result;
    }
}
