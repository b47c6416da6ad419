package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Blocks go round a ring ("bucket" algorithm): in each step a rank passes on the block that it got in the one before.
 * Any blocks; no byte is copied locally, and each link carries each block once. For long blocks.
 *
 * <p>Barnett, Littlefield, Payne, van de Geijn: "Global combine on mesh architectures with wormhole routing", IPPS 1993.
 */
public final class RingAllgather implements Allgather {
    @Override
    public String name() {
        return "ring";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) / ranks * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        int size = team.size();
        int rank = team.rank();
        int next = (rank + 1) % size;
        int previous = (rank - 1 + size) % size;
        for (int step = 0; step < size - 1; step++) {
            int outgoing = (rank - step + size) % size;
            int incoming = (rank - step - 1 + size) % size;
            team.exchange(
                    buffer,
                    offset + blocks.offset(outgoing),
                    blocks.length(outgoing),
                    next,
                    buffer,
                    offset + blocks.offset(incoming),
                    blocks.length(incoming),
                    previous);
        }
    }
}
