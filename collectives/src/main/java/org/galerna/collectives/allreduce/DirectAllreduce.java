package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.Combination;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.team.Team;

/**
 * The vectors are combined where they are, by all ranks together, into the arrays of all.
 */
public final class DirectAllreduce implements Allreduce, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) ranks * bytes, (double) (ranks - 1) * bytes);
    }

    @Override
    public void allreduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        Combination.total(team, send, sendOffset, receive, receiveOffset, count, reduction);
    }
}
