package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.shared.Movement;
import org.galerna.collectives.team.Team;

/**
 * Blocks are copied from array to array, by all ranks together.
 */
public final class DirectAllgather implements Allgather, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) (ranks - 1) * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        Movement.give(team, own, ownOffset, Blocks.NONE, blocks.length(team.rank()));
        Movement.take(team, buffer, offset, blocks);
        Movement.run(team, buffer);
    }
}
