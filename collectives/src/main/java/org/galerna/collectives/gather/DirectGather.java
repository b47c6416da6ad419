package org.galerna.collectives.gather;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.shared.Movement;
import org.galerna.collectives.team.Team;

/**
 * Blocks are copied from the arrays of the ranks to that of the root, by all of them together.
 */
public final class DirectGather implements Gather, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) (ranks - 1) * bytes);
    }

    @Override
    public void gather(
            Team team,
            Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks,
            int root) {
        if (team.rank() == root) {
            Movement.take(team, receive, receiveOffset, blocks);
            Movement.run(team, receive);
        } else {
            Movement.give(team, send, sendOffset, Blocks.NONE, length);
            Movement.run(team);
        }
    }
}
