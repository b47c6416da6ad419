package org.galerna.collectives.gather;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Up a binomial tree: each rank collects the blocks of its subtree and passes them on as one message. Blocks of one
 * length only. For short blocks, where the root's p − 1 messages would be the bottleneck.
 *
 * <p>Thakur, Rabenseifner, Gropp: "Optimization of collective communication operations in MPICH", IJHPCA 19 (2005).
 */
public final class BinomialGather implements Gather {
    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks), (ranks - 1.0) * bytes);
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
        if (team.rank() == root) {
            collectOnRoot(team, receive, receiveOffset, length);
        } else {
            passOn(team, send, sendOffset, length, root);
        }
    }

    private static void passOn(Team team, Object send, long sendOffset, long length, int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        // the distance to the parent is the lowest bit that is set; children are at the lower distances
        int toParent = Integer.lowestOneBit(relative);
        int parent = (relative - toParent + root) % size;
        int ranks = Math.min(toParent, size - relative);
        if (ranks == 1) {
            team.send(send, sendOffset, length, parent);
            return;
        }
        Object collected = team.scratch(ranks * length);
        for (int distance = 1; distance < ranks; distance <<= 1) {
            int child = relative + distance;
            int below = Math.min(distance, size - child);
            team.startReceive(collected, distance * length, below * length, (child + root) % size);
        }
        team.copy(send, sendOffset, collected, 0, length);
        team.awaitAll();
        team.send(collected, 0, ranks * length, parent);
    }

    /** The blocks of a subtree are side by side in the receive buffer too, except of the one that wraps around. */
    private static void collectOnRoot(Team team, Object receive, long receiveOffset, long length) {
        int size = team.size();
        int root = team.rank();
        int wrapping = 0;
        Object wrapped = receive;
        for (int distance = 1; distance < size; distance <<= 1) {
            int below = Math.min(distance, size - distance);
            int child = (root + distance) % size;
            if (child + below > size) {
                wrapping = distance;
                wrapped = team.scratch(below * length);
                team.startReceive(wrapped, 0, below * length, child);
            } else {
                team.startReceive(receive, receiveOffset + child * length, below * length, child);
            }
        }
        team.awaitAll();
        if (wrapping > 0) {
            int below = Math.min(wrapping, size - wrapping);
            int child = root + wrapping;
            int before = size - child;
            team.copy(wrapped, 0, receive, receiveOffset + child * length, before * length);
            team.copy(wrapped, before * length, receive, receiveOffset, (below - before) * length);
        }
    }
}
