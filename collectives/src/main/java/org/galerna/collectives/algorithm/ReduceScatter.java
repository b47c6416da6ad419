package org.galerna.collectives.algorithm;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/** The vectors of all ranks are combined, and each gets its part of the result. */
public interface ReduceScatter extends Algorithm {
    /**
     * Combines vectors and divides the result.
     *
     * @param send vector of this rank; not changed, unless it is also {@code receive}
     * @param blocks which part of the vector each rank gets, side by side in the order of the ranks, in bytes
     * @param receive where the part of this rank goes; it may be the very place of {@code send}
     */
    void reduceScatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            Reduction reduction);
}
