package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.butterfly.Fold;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * In round {@code k} two ranks that are 2ᵏ apart exchange their vectors, and both combine them, the lower rank's on the
 * left: log₂ p messages, the fewest possible. For short vectors.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class RecursiveDoublingAllreduce implements Allreduce {
    @Override
    public String name() {
        return "recursiveDoubling";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double steps = Fold.steps(ranks);
        return new Cost(steps, steps * bytes, steps * bytes);
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
        Fold fold = new Fold(team.size(), -1);
        long bytes = (long) count * reduction.elementSize();
        int appends = fold.rounds() - Integer.bitCount(Math.max(0, fold.position(team.rank())));
        Accumulator accumulator = team.accumulate(reduction, count, send, sendOffset, receive, receiveOffset, appends);
        int position = fold.gatherPairs(team, accumulator, count, bytes);
        if (position >= 0) {
            for (int distance = 1; distance < fold.positions(); distance <<= 1) {
                int partner = position ^ distance;
                int peer = fold.rank(partner);
                team.exchange(
                        accumulator.current(),
                        accumulator.currentOffset(0),
                        bytes,
                        peer,
                        accumulator.spare(),
                        accumulator.spareOffset(0),
                        bytes,
                        peer);
                if (position < partner) {
                    accumulator.append(0, count);
                } else {
                    accumulator.prepend(0, count);
                }
            }
            accumulator.copyTo(receive, receiveOffset, 0, count);
        }
        fold.spreadToPairs(team, receive, receiveOffset, bytes);
    }
}
