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
 * @param blocking ranks tell each other lengths first, so that what a rank does depends on what it has received: it cannot be
 *     written down beforehand
 */
public record Restrictions(
        boolean powerOfTwo, boolean commutative, boolean sharedHeap, Groups groups, boolean blocking) {
    /** Serves everything. */
    public static final Restrictions NONE = new Restrictions(false, false, false, Groups.NONE, false);

    /** Needs a power of two of ranks. */
    public static final Restrictions POWER_OF_TWO = new Restrictions(true, false, false, Groups.NONE, false);

    /** Needs a commutative reduction. */
    public static final Restrictions COMMUTATIVE = new Restrictions(false, true, false, Groups.NONE, false);

    /** Needs ranks that share a heap. */
    public static final Restrictions SHARED_HEAP = new Restrictions(false, false, true, Groups.NONE, false);

    /** Needs a call that blocks. */
    public static final Restrictions BLOCKING = new Restrictions(false, false, false, Groups.NONE, true);

    /** Needs ranks on several hosts, some of them beside each other. */
    public static final Restrictions HOSTS = new Restrictions(false, false, false, Groups.HOSTS, false);

    /** Needs that too, and a call that blocks. */
    public static final Restrictions BLOCKING_HOSTS = new Restrictions(false, false, false, Groups.HOSTS, true);

    /** Needs ranks on several hosts and a commutative reduction. */
    public static final Restrictions COMMUTATIVE_HOSTS = new Restrictions(false, true, false, Groups.HOSTS, false);

    /** Needs ranks on several hosts, or in several processes of a host, some of them beside each other. */
    public static final Restrictions HEAPS = new Restrictions(false, false, false, Groups.HEAPS, false);

    /** Needs that too, and a commutative reduction. */
    public static final Restrictions COMMUTATIVE_HEAPS = new Restrictions(false, true, false, Groups.HEAPS, false);

    /** True if it serves everything. Not by {@code equals}, for which each start would make a class. */
    public boolean areNone() {
        return !powerOfTwo && !commutative && !sharedHeap && groups == Groups.NONE && !blocking;
    }

    /** True if the number of ranks is right, they share a heap and are in groups if need be, and the call may learn lengths. */
    public boolean admits(TeamShape team) {
        return (!powerOfTwo || Integer.bitCount(team.ranks()) == 1)
                && (team.oneHeap() || !sharedHeap)
                && team.groups().compareTo(groups) >= 0
                && !(blocking && team.recorded());
    }
}
