package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;
import org.jspecify.annotations.Nullable;

/**
 * Up a binomial tree whose root is the root of the operation: a broadcast backwards. For short vectors.
 *
 * <p>Barnett, Gupta, Payne, Shuler, van de Geijn, Watts: "Interprocessor collective communication library (InterCom)",
 * SHPCC 1994.
 */
public final class BinomialReduce implements Reduce {
    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(rounds, rounds * bytes, rounds * bytes);
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
        Object result = team.rank() == root ? receive : null;
        Accumulator accumulator = combine(team, send, sendOffset, result, receiveOffset, count, reduction, root);
        if (result != null) {
            accumulator.copyTo(result, receiveOffset, 0, count);
        }
    }

    /**
     * Combines the vectors on {@code root}; with root 0, in the order of the ranks.
     *
     * @param receive memory for the result if this rank is the root, else null
     */
    static Accumulator combine(
            Team team,
            Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        long bytes = (long) count * reduction.elementSize();
        Accumulator accumulator =
                team.accumulate(reduction, count, send, sendOffset, receive, receiveOffset, Algorithm.rounds(size));
        // the distance to the parent is the lowest bit that is set; children are at the lower distances
        int distance = 1;
        while (distance < size && (relative & distance) == 0) {
            if (relative + distance < size) {
                int child = (relative + distance + root) % size;
                team.receive(accumulator.spare(), accumulator.spareOffset(0), bytes, child);
                accumulator.append(0, count);
            }
            distance <<= 1;
        }
        if (relative != 0) {
            int parent = (relative - distance + root) % size;
            team.send(accumulator.current(), accumulator.currentOffset(0), bytes, parent);
        }
        return accumulator;
    }
}
