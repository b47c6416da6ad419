package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.Combination;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.team.Team;

/**
 * The vectors are combined where they are, by all ranks together, into the array of the root.
 */
public final class DirectReduce implements Reduce, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) bytes, (double) (ranks - 1) * bytes);
    }

    @Override
    public void reduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        Object wanted = team.rank() == root ? receive : null;
        Combination.total(team, send, sendOffset, wanted, receiveOffset, count, reduction);
    }
}
