package org.galerna.collectives.scan;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/** Each rank combines what comes from the one below it with its own vector and passes it on: p − 1 messages in all. */
public final class LinearScan implements Scan {
    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) * bytes, (ranks - 1.0) * bytes);
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
        int rank = team.rank();
        boolean last = rank == team.size() - 1;
        long bytes = (long) count * reduction.elementSize();
        if (rank == 0) {
            team.send(send, sendOffset, bytes, 1);
            if (!exclusive) {
                team.copyUnlessSame(send, sendOffset, receive, receiveOffset, bytes);
            }
            return;
        }
        Object below = team.scratch(reduction, count);
        team.receive(below, 0, bytes, rank - 1);
        if (!exclusive) {
            team.copyUnlessSame(send, sendOffset, receive, receiveOffset, bytes);
            reduction.apply(below, 0, receive, receiveOffset, count);
            if (!last) {
                team.send(receive, receiveOffset, bytes, rank + 1);
            }
            return;
        }
        if (!last) {
            Object total = team.scratch(reduction, count);
            team.copy(send, sendOffset, total, 0, bytes);
            reduction.apply(below, 0, total, 0, count);
            team.send(total, 0, bytes, rank + 1);
        }
        team.copy(below, 0, receive, receiveOffset, bytes);
    }
}
