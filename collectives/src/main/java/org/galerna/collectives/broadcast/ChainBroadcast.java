package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.team.Team;

/**
 * Along a chain of all ranks in segments: while a rank passes one segment on, the next one arrives. Every link carries
 * each byte once, so that for long messages the time hardly depends on the number of ranks.
 *
 * <p>Pjesivac-Grbovic, Angskun, Bosilca, Fagg, Gabriel, Dongarra: "Performance analysis of MPI collective operations",
 * Cluster Computing 10 (2007).
 */
public final class ChainBroadcast implements Broadcast {
    /** Long enough to outweigh the latency, short enough for two of them to stay in a core's own cache. */
    static final long SEGMENT = 64 * 1024;

    @Override
    public String name() {
        return "chain";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double segments = Math.max(1, Math.ceilDiv(bytes, SEGMENT));
        double steps = segments + ranks - 2;
        return new Cost(steps, steps * Math.min(bytes, SEGMENT));
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        int size = team.size();
        int relative = (team.rank() - root + size) % size;
        int previous = (team.rank() - 1 + size) % size;
        int next = relative == size - 1 ? -1 : (team.rank() + 1) % size;
        if (relative == 0) {
            for (long start = 0; start < length; start += SEGMENT) {
                team.send(buffer, offset + start, segment(start, length), next);
            }
            return;
        }
        team.startReceive(buffer, offset, segment(0, length), previous);
        for (long start = 0; start < length; start += SEGMENT) {
            long following = start + SEGMENT;
            if (following < length) {
                team.startReceive(buffer, offset + following, segment(following, length), previous);
            }
            team.awaitFirst();
            if (next >= 0) {
                team.send(buffer, offset + start, segment(start, length), next);
            }
        }
    }

    private static long segment(long start, long length) {
        return Math.min(SEGMENT, length - start);
    }
}
