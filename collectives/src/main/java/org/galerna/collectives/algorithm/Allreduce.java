package org.galerna.collectives.algorithm;

import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/** The vectors of all ranks are combined, and all get the same result, bit for bit. */
public interface Allreduce extends Algorithm {
    /**
     * Combines vectors.
     *
     * @param send vector of this rank; not changed, unless it is also {@code receive}
     * @param receive where the result goes, possibly the very place of {@code send}
     * @param count elements of the vector, at least 1
     */
    void allreduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction);
}
