package org.galerna.collectives.algorithm;

import org.galerna.collectives.team.TeamShape;
import org.galerna.collectives.team.TeamShape.Groups;

/**
 * What an algorithm cannot do.
 *
 * @param powerOfTwo it needs a number of ranks that is a power of two
 * @param commutative it does not keep the order of the ranks, and so needs a commutative reduction
 * @param sharedHeap it works on the memory of other ranks, and so needs all of them in one JVM
 * @param groups it needs several groups of ranks, not all of one member, that are at least as far from each other as these
 */
public record Restrictions(boolean powerOfTwo, boolean commutative, boolean sharedHeap, Groups groups) {
    /** Serves everything. */
    public static final Restrictions NONE = new Restrictions(false, false, false, Groups.NONE);

    /** Needs a power of two of ranks. */
    public static final Restrictions POWER_OF_TWO = new Restrictions(true, false, false, Groups.NONE);

    /** Needs a commutative reduction. */
    public static final Restrictions COMMUTATIVE = new Restrictions(false, true, false, Groups.NONE);

    /** Needs ranks that share a heap. */
    public static final Restrictions SHARED_HEAP = new Restrictions(false, false, true, Groups.NONE);

    /** Needs ranks on several hosts, some of them beside each other. */
    public static final Restrictions HOSTS = new Restrictions(false, false, false, Groups.HOSTS);

    /** Needs that too, and a commutative reduction. */
    public static final Restrictions COMMUTATIVE_HOSTS = new Restrictions(false, true, false, Groups.HOSTS);

    /** Needs ranks on several hosts, or in several processes of a host, some of them beside each other. */
    public static final Restrictions HEAPS = new Restrictions(false, false, false, Groups.HEAPS);

    /** Needs that too, and a commutative reduction. */
    public static final Restrictions COMMUTATIVE_HEAPS = new Restrictions(false, true, false, Groups.HEAPS);

    /** True if it serves everything. Not by {@code equals}, for which each start would make a class. */
    public boolean areNone() {
        return !powerOfTwo && !commutative && !sharedHeap && groups == Groups.NONE;
    }

    /** True if the number of ranks is right, they share a heap if need be, and are in groups if need be. */
    public boolean admits(TeamShape team) {
        return (!powerOfTwo || Integer.bitCount(team.ranks()) == 1)
                && (team.oneHeap() || !sharedHeap)
                && team.groups().compareTo(groups) >= 0;
    }
}
