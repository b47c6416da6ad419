package org.galerna.collectives.algorithm;

import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/** Each rank gets the combination of the vectors of the ranks up to itself. */
public interface Scan extends Algorithm {
    /**
     * Combines prefixes: of the ranks 0 to this one, or, in an exclusive scan, to the one before this one. Then rank 0
     * gets nothing.
     *
     * @param send vector of this rank; not changed, unless it is also {@code receive}
     * @param receive where the result goes, possibly the very place of {@code send}
     * @param count elements of the vector, at least 1
     */
    void scan(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            boolean exclusive);
}
