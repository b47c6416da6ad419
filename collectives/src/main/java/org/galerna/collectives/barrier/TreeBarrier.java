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
        arrive(team);
        release(team);
    }

    /** Waits until the members of the subtree below this rank have arrived, and tells its parent. */
    static void arrive(Team team) {
        int size = team.size();
        int rank = team.rank();
        int distance = distanceToParent(team);
        for (int child = 1; child < distance && rank + child < size; child <<= 1) {
            team.receive(NOTHING, 0, 0, rank + child);
        }
        if (rank != 0) {
            team.send(NOTHING, 0, 0, rank - distance);
        }
    }

    /** Waits until rank 0 lets the members go, and passes it on. */
    static void release(Team team) {
        int size = team.size();
        int rank = team.rank();
        int distance = distanceToParent(team);
        if (rank != 0) {
            team.receive(NOTHING, 0, 0, rank - distance);
        }
        for (int child = distance >> 1; child > 0; child >>= 1) {
            if (rank + child < size) {
                team.send(NOTHING, 0, 0, rank + child);
            }
        }
    }

    /** The lowest bit of the rank that is set, and beyond the last rank for rank 0; children are at lower distances. */
    private static int distanceToParent(Team team) {
        int rank = team.rank();
        return rank == 0 ? 1 << Algorithm.rounds(team.size()) : Integer.lowestOneBit(rank);
    }
}
