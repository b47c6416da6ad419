package org.galerna.collectives.reducescatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.Combination;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.team.Team;

/**
 * The vectors are combined where they are, by all ranks together, each part into the array of its rank.
 */
public final class DirectReduceScatter implements ReduceScatter, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) bytes, (double) (ranks - 1) * bytes);
    }

    @Override
    public void reduceScatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            Reduction reduction) {
        Combination.parts(team, send, sendOffset, blocks, receive, receiveOffset, reduction);
    }
}
