package org.galerna.collectives.barrier;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/**
 * In round {@code k} each rank tells the one 2ᵏ above it that it has heard of 2ᵏ arrivals: after ⌈log₂ p⌉ rounds all
 * have heard of all.
 *
 * <p>Hensgen, Finkel, Manber: "Two algorithms for barrier synchronization", International Journal of Parallel
 * Programming 17 (1988).
 */
public final class DisseminationBarrier implements Barrier {
    private static final byte[] NOTHING = new byte[0];

    @Override
    public String name() {
        return "dissemination";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks), 0);
    }

    @Override
    public void barrier(Team team) {
        int size = team.size();
        int rank = team.rank();
        for (int distance = 1; distance < size; distance <<= 1) {
            int above = (rank + distance) % size;
            int below = (rank - distance + size) % size;
            team.exchange(NOTHING, 0, 0, above, NOTHING, 0, 0, below);
        }
    }
}
