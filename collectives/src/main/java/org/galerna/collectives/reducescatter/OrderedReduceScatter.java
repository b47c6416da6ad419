package org.galerna.collectives.reducescatter;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduce.OrderedReduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.scatter.LinearScatter;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/** An ordered reduce to rank 0, which scatters the result. For operations that do not commute. */
public final class OrderedReduceScatter implements ReduceScatter {
    private final LinearScatter scatter = new LinearScatter();

    @Override
    public String name() {
        return "ordered";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        double share = (ranks - 1.0) / ranks;
        return new Cost(rounds + ranks - 1, (rounds + share) * bytes, rounds * bytes);
    }

    @Override
    public void reduceScatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            Reduction reduction) {
        int rank = team.rank();
        int count = (int) (blocks.total(team.size()) / reduction.elementSize());
        Accumulator accumulator = OrderedReduce.combineOnFirst(team, send, sendOffset, null, 0, count, reduction);
        scatter.scatter(
                team,
                accumulator.current(),
                accumulator.currentOffset(0),
                blocks,
                receive,
                receiveOffset,
                blocks.length(rank),
                0);
        if (rank == 0) {
            accumulator.copyTo(receive, receiveOffset, 0, (int) (blocks.length(0) / reduction.elementSize()));
        }
    }
}
