package org.galerna.applications.fdtd;

import java.util.Arrays;

/**
 * A sum of doubles that does not depend on the order or on the grouping of its terms.
 *
 * <p>Floating-point addition is not associative, so a total of partial sums would change with the number of ranks. Here
 * every term is added, without rounding, to a fixed-point number wide enough for all finite doubles (the "small
 * superaccumulator" of R. Neal, "Fast exact summation using small and large superaccumulators", 2015). The number is
 * kept in signed 64-bit limbs of weight {@code 2^32} each, so that carries can wait: adding accumulators, on one rank
 * or by an integer reduction over many, is adding their limbs. Only {@link #value} rounds, once.
 *
 * <p>Not thread-safe. Infinities and NaN are rejected.
 */
public final class ExactSum {
    private static final int LIMB_BITS = 32;
    private static final long LIMB_MASK = (1L << LIMB_BITS) - 1;

    /** Number of limbs: bits 0 to 2^11 + 52 of a double's range, and room for carries above. */
    public static final int LIMBS = 2 * 1024 / LIMB_BITS + 4;

    /** Weight of the lowest bit of the lowest limb is {@code 2^LOWEST_EXPONENT}: that of the smallest double. */
    private static final int LOWEST_EXPONENT = -1074;

    // A term adds less than 2^53 to a limb: 2^10 of them keep the limb below 2^63.
    private static final int TERMS_BETWEEN_CARRIES = 1 << 10;

    // Neighbouring terms often hit the same limb; spread over lanes, one does not wait for the other's store.
    private static final int LANES = 4;

    private final long[] limbs = new long[LIMBS];
    private final long[] lanes = new long[LANES * LIMBS];
    private int pendingTerms;

    /** A sum of nothing: zero. */
    public ExactSum() {}

    /** Adds one value. */
    public void add(double value) {
        if (pendingTerms == TERMS_BETWEEN_CARRIES) {
            carry();
        }
        pendingTerms++;
        accumulate(value, 0);
    }

    /** Adds {@code values[from]} to {@code values[to - 1]}. */
    public void add(double[] values, int from, int to) {
        for (int start = from; start < to; start += TERMS_BETWEEN_CARRIES) {
            carry();
            int end = Math.min(start + TERMS_BETWEEN_CARRIES, to);
            for (int index = start; index < end; index++) {
                accumulate(values[index], (index % LANES) * LIMBS);
            }
            pendingTerms = end - start;
        }
    }

    private void accumulate(double value, int lane) {
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long mantissa = bits & 0xf_ffff_ffff_ffffL;
        if (exponent == 0x7ff) {
            throw new ArithmeticException("a sum of finite values was given " + value);
        }
        if (exponent != 0) {
            mantissa |= 1L << 52;
            exponent--;
        }
        int limb = lane + (exponent >>> 5);
        int shift = exponent & 31;
        long sign = bits >> 63; // 0 or -1: (x ^ sign) - sign negates without a branch
        long low = (mantissa << shift) & LIMB_MASK;
        long high = mantissa >>> (LIMB_BITS - shift);
        lanes[limb] += (low ^ sign) - sign;
        lanes[limb + 1] += (high ^ sign) - sign;
    }

    /** Gathers the lanes, and brings every limb but the last into 0 .. 2^32 - 1. */
    private void carry() {
        for (int lane = 0; pendingTerms > 0 && lane < LANES; lane++) {
            for (int limb = 0; limb < LIMBS; limb++) {
                limbs[limb] += lanes[lane * LIMBS + limb];
            }
        }
        Arrays.fill(lanes, 0);
        long carry = 0;
        for (int limb = 0; limb < LIMBS - 1; limb++) {
            long sum = limbs[limb] + carry;
            limbs[limb] = sum & LIMB_MASK;
            carry = sum >> LIMB_BITS;
        }
        limbs[LIMBS - 1] += carry;
        pendingTerms = 0;
    }

    /**
     * The limbs, carried: all but the last in 0 .. 2^32 - 1, so that those of up to 2^30 accumulators can be added as
     * plain longs.
     *
     * @param target receives {@link #LIMBS} values
     */
    public void copyTo(long[] target, int offset) {
        carry();
        System.arraycopy(limbs, 0, target, offset, LIMBS);
    }

    /** Replaces this sum by limbs that were copied out of accumulators and added up. */
    public void setTo(long[] source, int offset) {
        clear();
        System.arraycopy(source, offset, limbs, 0, LIMBS);
        carry();
    }

    /** Back to zero. */
    public void clear() {
        Arrays.fill(limbs, 0);
        Arrays.fill(lanes, 0);
        pendingTerms = 0;
    }

    /** The sum, rounded once, to nearest with ties to even. */
    public double value() {
        carry();
        if (limbs[LIMBS - 1] >= 0) {
            return round(limbs);
        }
        ExactSum negated = new ExactSum();
        for (int limb = 0; limb < LIMBS; limb++) {
            negated.limbs[limb] = -limbs[limb];
        }
        negated.carry();
        return -round(negated.limbs);
    }

    /** Rounds non-negative carried limbs. */
    private static double round(long[] limbs) {
        int top = LIMBS - 1;
        while (top > 0 && limbs[top] == 0) {
            top--;
        }
        if (limbs[top] == 0) {
            return 0.0;
        }
        int bitLength = top * LIMB_BITS + Long.SIZE - Long.numberOfLeadingZeros(limbs[top]);
        int dropped = Math.max(bitLength - 53, 0);
        long mantissa = bits(limbs, dropped);
        boolean half = dropped > 0 && (bits(limbs, dropped - 1) & 1) != 0;
        if (half && ((mantissa & 1) != 0 || anyBelow(limbs, dropped - 1))) {
            mantissa++;
        }
        // Exact: below 2^53 the product is representable or, at the top of the range, overflows to infinity.
        return Math.scalb((double) mantissa, dropped + LOWEST_EXPONENT);
    }

    /** The 64 bits from a position on. */
    private static long bits(long[] limbs, int position) {
        int limb = position / LIMB_BITS;
        int shift = position % LIMB_BITS;
        long low = limbs[limb] | (limb + 1 < LIMBS ? limbs[limb + 1] << LIMB_BITS : 0);
        long high = limb + 2 < LIMBS ? limbs[limb + 2] : 0;
        return shift == 0 ? low : (low >>> shift) | (high << (Long.SIZE - shift));
    }

    private static boolean anyBelow(long[] limbs, int position) {
        int limb = position / LIMB_BITS;
        for (int index = 0; index < limb; index++) {
            if (limbs[index] != 0) {
                return true;
            }
        }
        return (limbs[limb] & ((1L << (position % LIMB_BITS)) - 1)) != 0;
    }
}
