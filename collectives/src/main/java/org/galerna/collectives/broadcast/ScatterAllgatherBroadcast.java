package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/**
 * The root scatters the message down a binomial tree, and a ring of all ranks collects the pieces: each rank sends and
 * receives about twice the message, whatever the number of ranks. For long messages.
 *
 * <p>van de Geijn's algorithm: Barnett, Shuler, van de Geijn, Gupta, Payne, Watts: "Interprocessor collective
 * communication library (InterCom)", SHPCC 1994; Thakur, Rabenseifner, Gropp: "Optimization of collective communication
 * operations in MPICH", IJHPCA 19 (2005).
 */
public final class ScatterAllgatherBroadcast implements Broadcast {
    /** Pieces start on a cache line, relative to the message. */
    private static final long ALIGNMENT = 64;

    @Override
    public String name() {
        return "scatterAllgather";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double share = (ranks - 1.0) / ranks;
        return new Cost(Algorithm.rounds(ranks) + ranks - 1.0, 2 * share * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        int size = team.size();
        long piece = Math.ceilDiv(Math.ceilDiv(length, size), ALIGNMENT) * ALIGNMENT;
        scatter(team, buffer, offset, length, piece, root);
        int relative = (team.rank() - root + size) % size;
        int next = (team.rank() + 1) % size;
        int previous = (team.rank() - 1 + size) % size;
        for (int step = 0; step < size - 1; step++) {
            int outgoing = (relative - step + size) % size;
            int incoming = (relative - step - 1 + size) % size;
            team.exchange(
                    buffer,
                    offset + Math.min(outgoing * piece, length),
                    bytes(outgoing, 1, piece, length),
                    next,
                    buffer,
                    offset + Math.min(incoming * piece, length),
                    bytes(incoming, 1, piece, length),
                    previous);
        }
    }

    /** Leaves piece {@code i} on the rank {@code i} above the root. */
    private static void scatter(Team team, Object buffer, long offset, long length, long piece, int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        int distance = 1;
        while (distance < size && (relative & distance) == 0) {
            distance <<= 1;
        }
        if (relative != 0) {
            int pieces = Math.min(distance, size - relative);
            long bytes = bytes(relative, pieces, piece, length);
            if (bytes > 0) {
                team.receive(buffer, offset + relative * piece, bytes, (relative - distance + root) % size);
            }
        }
        for (distance >>= 1; distance > 0; distance >>= 1) {
            int child = relative + distance;
            if (child < size) {
                long bytes = bytes(child, Math.min(distance, size - child), piece, length);
                if (bytes > 0) {
                    team.send(buffer, offset + child * piece, bytes, (child + root) % size);
                }
            }
        }
    }

    /** Bytes in {@code count} pieces from {@code first} on; the last ones may be short or empty. */
    private static long bytes(int first, int count, long piece, long length) {
        return Math.min((first + count) * piece, length) - Math.min(first * piece, length);
    }
}
