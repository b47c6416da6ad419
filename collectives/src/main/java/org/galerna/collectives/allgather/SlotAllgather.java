package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank shows a copy of its block on the common heap and copies those of the others.
 */
public final class SlotAllgather implements Allgather, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks, (double) bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        HeapMember seat = team.seat();
        seat.begin();
        try {
            int rank = team.rank();
            seat.exchange(own, ownOffset, blocks.length(rank));
            for (int other = 0; other < team.size(); other++) {
                if (other != rank) {
                    seat.read(other, blocks.length(other), buffer, offset + blocks.offset(other));
                }
            }
            seat.allSeen();
        } finally {
            seat.finish();
        }
    }
}
