package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.butterfly.Fold;
import org.galerna.collectives.butterfly.VectorHalving;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * A reduce-scatter by vector halving, then a gather: each rank combines about one vector altogether, whatever the
 * number of ranks, where a tree has its root combine log₂ p of them. For long vectors.
 *
 * <p>Rabenseifner: "Optimization of collective reduction operations", ICCS 2004.
 */
public final class RabenseifnerReduce implements Reduce {
    @Override
    public String name() {
        return "rabenseifner";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double folding = Integer.bitCount(ranks) == 1 ? 0 : 1;
        double share = (ranks - 1.0) / ranks;
        return new Cost(2 * Fold.steps(ranks) - folding, (2 * share + folding) * bytes, (share + folding) * bytes);
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
        boolean isRoot = team.rank() == root;
        Fold fold = new Fold(team.size(), root);
        VectorHalving halving = new VectorHalving(fold, count, reduction.elementSize());
        Accumulator accumulator =
                team.accumulate(reduction, count, send, sendOffset, isRoot ? receive : null, receiveOffset, 0);
        int position = fold.gatherPairs(team, accumulator, count, halving.bytes(0, fold.positions()));
        if (position < 0) {
            return;
        }
        halving.reduceScatter(team, accumulator, position);
        int part = halving.part(position);
        int elements = halving.start(part + 1) - halving.start(part);
        if (isRoot) {
            accumulator.copyTo(receive, receiveOffset + halving.bytes(0, part), halving.start(part), elements);
            halving.gather(team, receive, receiveOffset, position, position);
        } else {
            // what was combined first is no longer needed; what is gathered goes beside the part of this rank
            halving.gather(team, accumulator.current(), accumulator.currentOffset(0), position, fold.position(root));
        }
    }
}
