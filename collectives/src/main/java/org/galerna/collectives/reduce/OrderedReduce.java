package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;
import org.jspecify.annotations.Nullable;

/**
 * Up a binomial tree whose root is rank 0, so that every subtree is a range of consecutive ranks and the operands keep
 * their order; then the result goes to the root. For operations that do not commute.
 */
public final class OrderedReduce implements Reduce {
    @Override
    public String name() {
        return "ordered";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(rounds + 1, (rounds + 1) * bytes, rounds * bytes);
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
        int rank = team.rank();
        long bytes = (long) count * reduction.elementSize();
        Object result = rank == root && root == 0 ? receive : null;
        Accumulator accumulator =
                BinomialReduce.combine(team, send, sendOffset, result, receiveOffset, count, reduction, 0);
        if (result != null) {
            accumulator.copyTo(result, receiveOffset, 0, count);
        } else if (rank == 0) {
            team.send(accumulator.current(), accumulator.currentOffset(0), bytes, root);
        } else if (rank == root) {
            team.receive(receive, receiveOffset, bytes, 0);
        }
    }

    /**
     * Combines the vectors on rank 0 into an accumulator, for collectives that distribute the result in their own way.
     *
     * @param receive memory for the result if this rank is 0, else null
     */
    public static Accumulator combineOnFirst(
            Team team,
            Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        return BinomialReduce.combine(team, send, sendOffset, receive, receiveOffset, count, reduction, 0);
    }
}
