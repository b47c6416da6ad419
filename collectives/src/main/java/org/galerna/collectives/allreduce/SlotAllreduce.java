package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.shared.SlotReductions;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank shows a copy of its vector on the common heap, and combines those of all in the order of the ranks: one
 * step, and everybody computes the same.
 */
public final class SlotAllreduce implements Allreduce, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks, (double) ranks * bytes, (double) ranks * bytes);
    }

    @Override
    public void allreduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        HeapMember seat = team.seat();
        seat.begin();
        try {
            seat.exchange(send, sendOffset, (long) count * reduction.elementSize());
            Object own = SlotReductions.own(send, receive, reduction);
            SlotReductions.combine(team, seat, team.size(), own, sendOffset, receive, receiveOffset, count, reduction);
            seat.allSeen();
        } finally {
            seat.finish();
        }
    }
}
