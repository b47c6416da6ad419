package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/**
 * Down a binomial tree (minimum spanning tree): in each round, every rank that has the message sends it to one that has
 * not, so that the number of informed ranks doubles. The choice for short messages.
 *
 * <p>Barnett, Gupta, Payne, Shuler, van de Geijn, Watts: "Interprocessor collective communication library (InterCom)",
 * SHPCC 1994.
 */
public final class BinomialBroadcast implements Broadcast {
    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(rounds, rounds * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        // the distance to the parent is the lowest bit that is set; children are at the lower distances
        int distance = 1;
        while (distance < size && (relative & distance) == 0) {
            distance <<= 1;
        }
        if (relative != 0) {
            team.receive(buffer, offset, length, (relative - distance + root) % size);
        }
        // the child with the largest subtree first
        for (distance >>= 1; distance > 0; distance >>= 1) {
            if (relative + distance < size) {
                team.startSend(buffer, offset, length, (relative + distance + root) % size);
            }
        }
        team.awaitAll();
    }
}
