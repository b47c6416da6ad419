package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.butterfly.Fold;
import org.galerna.collectives.butterfly.VectorHalving;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * A reduce-scatter by vector halving, then an allgather by distance halving: each rank sends about two vectors and
 * combines one, whatever the number of ranks. For long vectors.
 *
 * <p>Rabenseifner: "Optimization of collective reduction operations", ICCS 2004.
 */
public final class RabenseifnerAllreduce implements Allreduce {
    @Override
    public String name() {
        return "rabenseifner";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double folding = Integer.bitCount(ranks) == 1 ? 0 : 1;
        double share = (ranks - 1.0) / ranks;
        return new Cost(2 * Fold.steps(ranks), 2 * (share + folding) * bytes, (share + folding) * bytes);
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
        VectorHalving halving = new VectorHalving(fold, count, reduction.elementSize());
        long bytes = halving.bytes(0, fold.positions());
        int appends = fold.rounds() - Integer.bitCount(Math.max(0, fold.position(team.rank())));
        Accumulator accumulator = team.accumulate(reduction, count, send, sendOffset, receive, receiveOffset, appends);
        int position = fold.gatherPairs(team, accumulator, count, bytes);
        if (position >= 0) {
            halving.reduceScatter(team, accumulator, position);
            int part = halving.part(position);
            accumulator.copyTo(
                    receive,
                    receiveOffset + halving.bytes(0, part),
                    halving.start(part),
                    halving.start(part + 1) - halving.start(part));
            halving.allgather(team, receive, receiveOffset, position);
        }
        fold.spreadToPairs(team, receive, receiveOffset, bytes);
    }
}
