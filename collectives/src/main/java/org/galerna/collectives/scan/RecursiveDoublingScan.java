package org.galerna.collectives.scan;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/**
 * In round {@code k} each rank sends the combination of up to 2ᵏ ranks ending with itself to the one 2ᵏ above it, which
 * puts it on the left of its own: ⌈log₂ p⌉ messages.
 *
 * <p>Hillis, Steele: "Data parallel algorithms", Communications of the ACM 29 (1986).
 */
public final class RecursiveDoublingScan implements Scan {
    @Override
    public String name() {
        return "recursiveDoubling";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(rounds, rounds * bytes, rounds * bytes);
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
        long bytes = (long) count * reduction.elementSize();
        if (exclusive) {
            Object total = team.scratch(reduction, count);
            team.copy(send, sendOffset, total, 0, bytes);
            combine(team, total, 0, receive, receiveOffset, count, reduction, true);
        } else {
            team.copyUnlessSame(send, sendOffset, receive, receiveOffset, bytes);
            combine(team, receive, receiveOffset, receive, receiveOffset, count, reduction, false);
        }
    }

    /**
     * Combines.
     *
     * @param total vector of this rank first, the combination with those below it in the end
     * @param before gets the combination of those below alone, if that is wanted
     */
    private static void combine(
            Team team,
            Object total,
            long totalOffset,
            Object before,
            long beforeOffset,
            int count,
            Reduction reduction,
            boolean exclusive) {
        int size = team.size();
        int rank = team.rank();
        long bytes = (long) count * reduction.elementSize();
        Object incoming = team.scratch(reduction, count);
        for (int distance = 1; distance < size; distance <<= 1) {
            int above = rank + distance;
            int below = rank - distance;
            if (below >= 0) {
                team.startReceive(incoming, 0, bytes, below);
            }
            if (above < size) {
                team.send(total, totalOffset, bytes, above);
            }
            team.awaitAll();
            if (below >= 0) {
                if (exclusive && distance == 1) {
                    team.copy(incoming, 0, before, beforeOffset, bytes);
                } else if (exclusive) {
                    reduction.apply(incoming, 0, before, beforeOffset, count);
                }
                reduction.apply(incoming, 0, total, totalOffset, count);
            }
        }
    }
}
