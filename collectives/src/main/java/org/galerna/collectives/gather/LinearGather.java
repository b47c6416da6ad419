package org.galerna.collectives.gather;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** Every rank sends to the root, which receives each block where it belongs: no byte is moved twice. */
public final class LinearGather implements Gather {
    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) * bytes);
    }

    @Override
    public void gather(
            Team team,
            Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks,
            int root) {
        if (team.rank() != root) {
            team.send(send, sendOffset, length, root);
            return;
        }
        for (int rank = 0; rank < team.size(); rank++) {
            if (rank != root) {
                team.startReceive(receive, receiveOffset + blocks.offset(rank), blocks.length(rank), rank);
            }
        }
        team.awaitAll();
    }
}
