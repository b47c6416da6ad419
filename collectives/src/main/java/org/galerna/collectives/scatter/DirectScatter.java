package org.galerna.collectives.scatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.shared.Movement;
import org.galerna.collectives.team.Team;

/**
 * Blocks are copied from the array of the root to those of the ranks, by all of them together.
 */
public final class DirectScatter implements Scatter, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) (ranks - 1) * bytes);
    }

    @Override
    public void scatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            long length,
            int root) {
        if (team.rank() == root) {
            Movement.give(team, send, sendOffset, blocks, 0);
            Movement.run(team);
        } else {
            Movement.take(team, receive, receiveOffset, length, root);
            Movement.run(team, receive);
        }
    }
}
