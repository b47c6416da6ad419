package org.galerna.collectives.reducescatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.butterfly.Fold;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * Partners at distance p/2, p/4, … 1 send each other the half of the vector that the other's side will get, and combine
 * the rest: log₂ p messages. Far ranks are combined first, so that everybody ends with its own part, but the operands
 * lose their order. For short vectors.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class RecursiveHalvingReduceScatter implements ReduceScatter {
    @Override
    public String name() {
        return "recursiveHalving";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double folding = Integer.bitCount(ranks) == 1 ? 0 : 1;
        double share = (ranks - 1.0) / ranks;
        return new Cost(
                Fold.steps(ranks) + folding, (share + folding + folding / ranks) * bytes, (share + folding) * bytes);
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
        int elementSize = reduction.elementSize();
        Fold fold = new Fold(team.size(), -1);
        long bytes = blocks.total(team.size());
        int count = (int) (bytes / elementSize);
        Accumulator accumulator = team.accumulate(reduction, count, send, sendOffset, null, 0, 0);
        int position = fold.gatherPairs(team, accumulator, count, bytes);
        int neighbour = fold.neighbour(rank);
        int ownCount = (int) (blocks.length(rank) / elementSize);
        if (position < 0) {
            team.receive(receive, receiveOffset, blocks.length(rank), neighbour);
            return;
        }
        halve(team, accumulator, fold, blocks, elementSize, position);
        if (neighbour >= 0) {
            long theirs = blocks.offset(neighbour);
            team.send(
                    accumulator.current(),
                    accumulator.currentOffset((int) (theirs / elementSize)),
                    blocks.length(neighbour),
                    neighbour);
        }
        accumulator.copyTo(receive, receiveOffset, (int) (blocks.offset(rank) / elementSize), ownCount);
    }

    private static void halve(
            Team team, Accumulator accumulator, Fold fold, Blocks blocks, int elementSize, int position) {
        for (int distance = fold.positions() >> 1; distance > 0; distance >>= 1) {
            int partner = position ^ distance;
            int peer = fold.rank(partner);
            int mine = element(fold, blocks, elementSize, position & -distance);
            int mineEnd = element(fold, blocks, elementSize, (position & -distance) + distance);
            int theirs = element(fold, blocks, elementSize, partner & -distance);
            int theirsEnd = element(fold, blocks, elementSize, (partner & -distance) + distance);
            team.exchange(
                    accumulator.current(),
                    accumulator.currentOffset(theirs),
                    (long) (theirsEnd - theirs) * elementSize,
                    peer,
                    accumulator.spare(),
                    accumulator.spareOffset(mine),
                    (long) (mineEnd - mine) * elementSize,
                    peer);
            if (position < partner) {
                accumulator.append(mine, mineEnd - mine);
            } else {
                accumulator.prepend(mine, mineEnd - mine);
            }
        }
    }

    /** First element of what the ranks at and below a position get; that of the end for the position after the last. */
    private static int element(Fold fold, Blocks blocks, int elementSize, int position) {
        int rank = position < fold.pairs() ? 2 * position : position + fold.pairs();
        long offset = rank == fold.ranks() ? blocks.total(rank) : blocks.offset(rank);
        return (int) (offset / elementSize);
    }
}
