package org.galerna.collectives.scan;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.shared.SlotReductions;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank but the last shows a copy of its vector on the common heap, and combines those of the ranks before it.
 */
public final class SlotScan implements Scan, SlotAlgorithm {
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks, (double) ranks * bytes, (double) ranks * bytes);
    }

    @Override
    public void scan(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            boolean exclusive) {
        HeapMember seat = team.seat();
        seat.begin();
        try {
            int rank = team.rank();
            Object own = SlotReductions.own(send, receive, reduction);
            if (own == null || rank + 1 < team.size()) {
                seat.show(send, sendOffset, (long) count * reduction.elementSize());
            }
            int ranks = exclusive ? rank : rank + 1;
            if (ranks > 0) {
                SlotReductions.combine(team, seat, ranks, own, sendOffset, receive, receiveOffset, count, reduction);
            }
        } finally {
            seat.finish();
        }
    }
}
