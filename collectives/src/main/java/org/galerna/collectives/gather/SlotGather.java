package org.galerna.collectives.gather;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank leaves a copy of its block in its slot on the common heap and returns; the root collects them.
 */
public final class SlotGather implements Gather, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1, (double) ranks * bytes);
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
        HeapMember seat = team.seat();
        seat.begin();
        try {
            if (team.rank() != root) {
                seat.show(send, sendOffset, length);
                return;
            }
            for (int rank = 0; rank < team.size(); rank++) {
                if (rank != root) {
                    seat.read(rank, blocks.length(rank), receive, receiveOffset + blocks.offset(rank));
                }
            }
        } finally {
            seat.finish();
        }
    }
}
