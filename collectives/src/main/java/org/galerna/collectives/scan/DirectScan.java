package org.galerna.collectives.scan;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.Combination;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.team.Team;

/**
 * The vectors are combined where they are, by all ranks together: who takes a piece of the vector goes through all ranks
 * in their order.
 */
public final class DirectScan implements Scan, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, 2.0 * ranks * bytes, (double) (ranks - 1) * bytes);
    }

    @Override
    public void scan(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            boolean exclusive) {
        Combination.prefixes(team, send, sendOffset, receive, receiveOffset, count, reduction, exclusive);
    }
}
