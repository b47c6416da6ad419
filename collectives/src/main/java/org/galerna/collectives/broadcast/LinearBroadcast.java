package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/** The root sends to each rank itself: the fewest hops, for few ranks or where only the root is awake. */
public final class LinearBroadcast implements Broadcast {
    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        int size = team.size();
        if (team.rank() != root) {
            team.receive(buffer, offset, length, root);
            return;
        }
        for (int distance = 1; distance < size; distance++) {
            team.startSend(buffer, offset, length, (root + distance) % size);
        }
        team.awaitAll();
    }
}
