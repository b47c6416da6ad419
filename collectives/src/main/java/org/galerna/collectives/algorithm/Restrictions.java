package org.galerna.collectives.algorithm;

import org.galerna.collectives.team.TeamShape;

/**
 * What an algorithm cannot do.
 *
 * @param powerOfTwo it needs a number of ranks that is a power of two
 * @param commutative it does not keep the order of the ranks, and so needs a commutative reduction
 * @param sharedHeap it works on the memory of other ranks, and so needs all of them in one JVM
 * @param hosts it needs ranks on several hosts, some of them beside each other
 */
public record Restrictions(boolean powerOfTwo, boolean commutative, boolean sharedHeap, boolean hosts) {
    /** Serves everything. */
    public static final Restrictions NONE = new Restrictions(false, false, false, false);

    /** Needs a power of two of ranks. */
    public static final Restrictions POWER_OF_TWO = new Restrictions(true, false, false, false);

    /** Needs a commutative reduction. */
    public static final Restrictions COMMUTATIVE = new Restrictions(false, true, false, false);

    /** Needs ranks that share a heap. */
    public static final Restrictions SHARED_HEAP = new Restrictions(false, false, true, false);

    /** Needs ranks on several hosts, some of them beside each other. */
    public static final Restrictions HOSTS = new Restrictions(false, false, false, true);

    /** Needs that too, and a commutative reduction. */
    public static final Restrictions COMMUTATIVE_HOSTS = new Restrictions(false, true, false, true);

    /** True if the number of ranks is right, they share a heap if need be, and are on several hosts if need be. */
    public boolean admits(TeamShape team) {
        return (!powerOfTwo || Integer.bitCount(team.ranks()) == 1)
                && (team.oneHeap() || !sharedHeap)
                && (team.acrossHosts() || !hosts);
    }
}
