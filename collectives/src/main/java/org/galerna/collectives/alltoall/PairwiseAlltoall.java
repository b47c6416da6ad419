package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * In step {@code s} each rank sends to the one {@code s} above it and receives from the one {@code s} below it, so that
 * no rank is ever flooded. Any blocks; no byte is copied locally. For long blocks.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class PairwiseAlltoall implements Alltoall {
    @Override
    public String name() {
        return "pairwise";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) * bytes);
    }

    @Override
    public void alltoall(
            Team team,
            Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        int size = team.size();
        int rank = team.rank();
        boolean hypercube = Integer.bitCount(size) == 1;
        for (int step = 1; step < size; step++) {
            // on a power of two of ranks both directions go to the same partner
            int destination = hypercube ? rank ^ step : (rank + step) % size;
            int source = hypercube ? destination : (rank - step + size) % size;
            team.exchange(
                    send,
                    sendOffset + sendBlocks.offset(destination),
                    sendBlocks.length(destination),
                    destination,
                    receive,
                    receiveOffset + receiveBlocks.offset(source),
                    receiveBlocks.length(source),
                    source);
        }
    }
}
