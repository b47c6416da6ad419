package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.shared.Movement;
import org.galerna.collectives.team.Team;

/**
 * Blocks are copied from array to array, by all ranks together.
 */
public final class DirectAlltoall implements Alltoall, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) ranks * (ranks - 1) * bytes);
    }

    @Override
    public void alltoall(
            Team team,
            Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        Movement.give(team, send, sendOffset, sendBlocks, 0);
        Movement.take(team, receive, receiveOffset, receiveBlocks);
        Movement.run(team, receive);
    }
}
