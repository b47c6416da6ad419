package org.galerna.collectives.scatter;

import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** The root sends each rank its block from where it is: no byte is moved twice. */
public final class LinearScatter implements Scatter {
    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1.0, (ranks - 1.0) * bytes);
    }

    @Override
    public void scatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            long length,
            int root) {
        if (team.rank() != root) {
            team.receive(receive, receiveOffset, length, root);
            return;
        }
        for (int rank = 0; rank < team.size(); rank++) {
            if (rank != root) {
                team.startSend(send, sendOffset + blocks.offset(rank), blocks.length(rank), rank);
            }
        }
        team.awaitAll();
    }
}
