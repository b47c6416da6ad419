package org.galerna.collectives.scatter;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Down a binomial tree: each rank gets the blocks of its subtree as one message and passes the rest on. Blocks of one
 * length only. For short blocks, where the root's p − 1 messages would be the bottleneck.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class BinomialScatter implements Scatter {
    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks), (ranks - 1.0) * bytes);
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
        if (team.rank() == root) {
            distributeFromRoot(team, send, sendOffset, length);
        } else {
            passOn(team, receive, receiveOffset, length, root);
        }
    }

    private static void passOn(Team team, Object receive, long receiveOffset, long length, int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        // the distance to the parent is the lowest bit that is set; children are at the lower distances
        int toParent = Integer.lowestOneBit(relative);
        int parent = (relative - toParent + root) % size;
        int ranks = Math.min(toParent, size - relative);
        if (ranks == 1) {
            team.receive(receive, receiveOffset, length, parent);
            return;
        }
        Object blocks = team.scratch(ranks * length);
        team.receive(blocks, 0, ranks * length, parent);
        for (int distance = Integer.highestOneBit(ranks - 1); distance > 0; distance >>= 1) {
            int child = relative + distance;
            int below = Math.min(distance, size - child);
            team.startSend(blocks, distance * length, below * length, (child + root) % size);
        }
        team.copy(blocks, 0, receive, receiveOffset, length);
        team.awaitAll();
    }

    /** The blocks of a subtree are side by side in the send buffer too, except of the one that wraps around. */
    private static void distributeFromRoot(Team team, Object send, long sendOffset, long length) {
        int size = team.size();
        int root = team.rank();
        for (int distance = Integer.highestOneBit(size - 1); distance > 0; distance >>= 1) {
            int below = Math.min(distance, size - distance);
            int child = (root + distance) % size;
            if (child + below > size) {
                Object joined = team.scratch(below * length);
                int before = size - child;
                team.copy(send, sendOffset + child * length, joined, 0, before * length);
                team.copy(send, sendOffset, joined, before * length, (below - before) * length);
                team.startSend(joined, 0, below * length, child);
            } else {
                team.startSend(send, sendOffset + child * length, below * length, child);
            }
        }
        team.awaitAll();
    }
}
