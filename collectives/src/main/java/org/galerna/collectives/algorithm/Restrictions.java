package org.galerna.collectives.algorithm;

/**
 * What an algorithm cannot do.
 *
 * @param powerOfTwo it needs a number of ranks that is a power of two
 * @param commutative it does not keep the order of the ranks, and so needs a commutative reduction
 */
public record Restrictions(boolean powerOfTwo, boolean commutative) {
    /** Serves everything. */
    public static final Restrictions NONE = new Restrictions(false, false);

    /** Needs a power of two of ranks. */
    public static final Restrictions POWER_OF_TWO = new Restrictions(true, false);

    /** Needs a commutative reduction. */
    public static final Restrictions COMMUTATIVE = new Restrictions(false, true);

    /** True if the number of ranks is right. */
    public boolean admits(int ranks) {
        return !powerOfTwo || Integer.bitCount(ranks) == 1;
    }

    /** True if the algorithm can be used. */
    public boolean admits(int ranks, boolean commutativeOperation) {
        return admits(ranks) && (commutativeOperation || !commutative);
    }
}
