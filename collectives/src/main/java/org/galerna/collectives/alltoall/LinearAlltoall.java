package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Starts all receives and all sends at once, each rank with another partner first ("scattered destination"): nobody
 * waits for a slow partner before talking to the next. Any blocks; no byte is copied locally.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class LinearAlltoall implements Alltoall {
    @Override
    public String name() {
        return "linear";
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
        for (int distance = 1; distance < size; distance++) {
            int source = (rank - distance + size) % size;
            team.startReceive(
                    receive, receiveOffset + receiveBlocks.offset(source), receiveBlocks.length(source), source);
        }
        for (int distance = 1; distance < size; distance++) {
            int destination = (rank + distance) % size;
            team.startSend(
                    send, sendOffset + sendBlocks.offset(destination), sendBlocks.length(destination), destination);
        }
        team.awaitAll();
    }
}
