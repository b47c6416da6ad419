package org.galerna.collectives.scatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * The root leaves a copy of all blocks in its slot on the common heap and returns; each takes its own. Needs blocks of one
 * length.
 */
public final class SlotScatter implements Scatter, SlotAlgorithm {
    @Override
    public long largest(int ranks) {
        return HeapMember.longestValue() / ranks;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(1, (double) (ranks + 1) * bytes);
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
        HeapMember seat = team.seat();
        seat.begin();
        try {
            long all = length * team.size();
            if (team.rank() == root) {
                seat.show(send, sendOffset, all);
            } else {
                seat.read(root, all, length * team.rank(), receive, receiveOffset, length);
            }
        } finally {
            seat.finish();
        }
    }
}
