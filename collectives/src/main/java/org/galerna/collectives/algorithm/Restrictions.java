package org.galerna.collectives.algorithm;

/**
 * What an algorithm cannot do.
 *
 * @param powerOfTwo it needs a number of ranks that is a power of two
 * @param commutative it does not keep the order of the ranks, and so needs a commutative reduction
 * @param sharedHeap it works on the memory of other ranks, and so needs all of them in one JVM
 */
public record Restrictions(boolean powerOfTwo, boolean commutative, boolean sharedHeap) {
    /** Serves everything. */
    public static final Restrictions NONE = new Restrictions(false, false, false);

    /** Needs a power of two of ranks. */
    public static final Restrictions POWER_OF_TWO = new Restrictions(true, false, false);

    /** Needs a commutative reduction. */
    public static final Restrictions COMMUTATIVE = new Restrictions(false, true, false);

    /** Needs ranks that share a heap. */
    public static final Restrictions SHARED_HEAP = new Restrictions(false, false, true);

    /** True if the number of ranks is right, and they share a heap if need be. */
    public boolean admits(int ranks, boolean oneHeap) {
        return (!powerOfTwo || Integer.bitCount(ranks) == 1) && (oneHeap || !sharedHeap);
    }
}
