package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.shared.SlotReductions;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank but the root leaves a copy of its vector in its slot on the common heap and returns at once; the root combines
 * them with its own in the order of the ranks.
 */
public final class SlotReduce implements Reduce, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks, (double) ranks * bytes, (double) ranks * bytes);
    }

    @Override
    public void reduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        HeapMember seat = team.seat();
        seat.begin();
        try {
            boolean isRoot = team.rank() == root;
            Object own = isRoot ? SlotReductions.own(send, receive, reduction) : null;
            if (own == null) {
                seat.show(send, sendOffset, (long) count * reduction.elementSize());
            }
            if (isRoot) {
                SlotReductions.combine(
                        team, seat, team.size(), own, sendOffset, receive, receiveOffset, count, reduction);
                seat.allSeen();
            }
        } finally {
            seat.finish();
        }
    }
}
