package org.galerna.collectives.reducescatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * In step {@code s} each rank sends the one {@code s} above it that one's part of its vector, and combines the part for
 * itself that it gets from the one {@code s} below. Parts of any size; needs memory for parts only. For long vectors.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class PairwiseReduceScatter implements ReduceScatter {
    @Override
    public String name() {
        return "pairwise";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double share = (ranks - 1.0) / ranks;
        return new Cost(ranks - 1.0, share * bytes, share * bytes);
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
        int size = team.size();
        int rank = team.rank();
        long length = blocks.length(rank);
        int count = (int) (length / reduction.elementSize());
        // the receive buffer may be the send buffer, which is needed until the last step
        Accumulator accumulator = team.accumulate(reduction, count, send, sendOffset + blocks.offset(rank), null, 0, 0);
        for (int step = 1; step < size; step++) {
            int destination = (rank + step) % size;
            int source = (rank - step + size) % size;
            team.exchange(
                    send,
                    sendOffset + blocks.offset(destination),
                    blocks.length(destination),
                    destination,
                    accumulator.spare(),
                    accumulator.spareOffset(0),
                    length,
                    source);
            accumulator.append(0, count);
        }
        accumulator.copyTo(receive, receiveOffset, 0, count);
    }
}
