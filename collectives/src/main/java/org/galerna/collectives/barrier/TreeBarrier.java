package org.galerna.collectives.barrier;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/**
 * Arrivals go up a binomial tree to rank 0, and its release comes down again: twice the rounds of a dissemination, but
 * 2 (p − 1) messages altogether where that one has p ⌈log₂ p⌉, which counts where many ranks share few cores.
 *
 * <p>Mellor-Crummey, Scott: "Algorithms for scalable synchronization on shared-memory multiprocessors", ACM TOCS 9
 * (1991), with messages in place of flags.
 */
public final class TreeBarrier implements Barrier {
    private static final byte[] NOTHING = new byte[0];

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(2.0 * Algorithm.rounds(ranks), 0);
    }

    @Override
    public void barrier(Team team) {
        int size = team.size();
        int rank = team.rank();
        // the distance to the parent is the lowest bit that is set; children are at the lower distances
        int distance = 1;
        while (distance < size && (rank & distance) == 0) {
            if (rank + distance < size) {
                team.receive(NOTHING, 0, 0, rank + distance);
            }
            distance <<= 1;
        }
        if (rank != 0) {
            team.send(NOTHING, 0, 0, rank - distance);
            team.receive(NOTHING, 0, 0, rank - distance);
        }
        for (distance >>= 1; distance > 0; distance >>= 1) {
            if (rank + distance < size) {
                team.send(NOTHING, 0, 0, rank + distance);
            }
        }
    }
}
