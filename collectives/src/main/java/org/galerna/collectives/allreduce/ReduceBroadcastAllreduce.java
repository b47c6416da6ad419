package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.broadcast.BinomialBroadcast;
import org.galerna.collectives.reduce.OrderedReduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/**
 * An ordered reduce to rank 0, then a broadcast: 2 (p − 1) messages altogether, where recursive doubling has p log₂ p.
 * It pays where many ranks share few cores and every rank that is woken costs.
 */
public final class ReduceBroadcastAllreduce implements Allreduce {
    private final BinomialBroadcast broadcast = new BinomialBroadcast();
    private final OrderedReduce reduce = new OrderedReduce();

    @Override
    public String name() {
        return "reduceBroadcast";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(2 * rounds, 2 * rounds * bytes, rounds * bytes);
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
        reduce.reduce(team, send, sendOffset, receive, receiveOffset, count, reduction, 0);
        broadcast.broadcast(team, receive, receiveOffset, (long) count * reduction.elementSize(), 0);
    }
}
