package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * The root leaves a copy in its slot on the common heap and returns; the others copy it from there when they come.
 */
public final class SlotBroadcast implements Broadcast, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(1, 2.0 * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        HeapMember seat = team.seat();
        seat.begin();
        try {
            if (team.rank() == root) {
                seat.show(buffer, offset, length);
            } else {
                seat.read(root, length, buffer, offset);
            }
        } finally {
            seat.finish();
        }
    }
}
