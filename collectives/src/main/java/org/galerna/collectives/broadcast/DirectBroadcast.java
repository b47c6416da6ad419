package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.DirectAlgorithm;
import org.galerna.collectives.shared.Movement;
import org.galerna.collectives.team.Team;

/**
 * The others copy from the array of the root, all of them together, and leave when everybody has everything.
 */
public final class DirectBroadcast implements Broadcast, DirectAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2, (double) (ranks - 1) * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        if (team.rank() == root) {
            Movement.give(team, buffer, offset, Blocks.NONE, length);
        } else {
            Movement.take(team, buffer, offset, length, root);
        }
        Movement.run(team, buffer);
    }
}
