package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * In round {@code k} two ranks that are 2ᵏ apart exchange all they have, so that it doubles: log₂ p messages, and no
 * byte is copied locally. For a power of two of ranks and blocks of one length.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class RecursiveDoublingAllgather implements Allgather {
    @Override
    public String name() {
        return "recursiveDoubling";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.POWER_OF_TWO;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks), (ranks - 1.0) / ranks * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        int size = team.size();
        int rank = team.rank();
        long length = blocks.length(rank);
        for (int distance = 1; distance < size; distance <<= 1) {
            int partner = rank ^ distance;
            long mine = offset + (rank & -distance) * length;
            long theirs = offset + (partner & -distance) * length;
            team.exchange(buffer, mine, distance * length, partner, buffer, theirs, distance * length, partner);
        }
    }
}
