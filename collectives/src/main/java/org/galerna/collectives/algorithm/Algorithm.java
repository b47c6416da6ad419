package org.galerna.collectives.algorithm;

import org.galerna.collectives.team.Named;

/**
 * One way to carry out a collective operation. Algorithms have no state, so that one object serves all ranks of a JVM;
 * the Javadoc of each says where it is from.
 *
 * <p>The caller ({@link org.galerna.collectives.Collectives}) has checked the arguments, has started the collective on
 * the team, and calls algorithms only for teams that their {@linkplain #restrictions restrictions} admit and that have
 * at least two members.
 */
public interface Algorithm extends Named {
    /** Name in options and in tables of decisions, e.g. {@code "recursiveDoubling"}. */
    @Override
    String name();

    /** What the algorithm cannot do. */
    default Restrictions restrictions() {
        return Restrictions.NONE;
    }

    /**
     * The largest size that the algorithm can serve, as the table of decisions counts it; larger ones are served by
     * another.
     */
    default long largest(int ranks) {
        return Long.MAX_VALUE;
    }

    /**
     * What the slowest rank does, to a first approximation.
     *
     * @param ranks members of the team, at least 2
     * @param bytes size of the operation as the table of decisions counts it
     */
    Cost cost(int ranks, long bytes);

    /** Smallest number of rounds in which information can get from one rank to {@code ranks}: ⌈log₂ ranks⌉. */
    static int rounds(int ranks) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }
}
