package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * In round {@code k} each rank sends what it has, its own block and the 2ᵏ − 1 that follow, to the rank 2ᵏ below it:
 * ⌈log₂ p⌉ messages for any number of ranks and any blocks, at the price of a copy of everything. For short blocks.
 *
 * <p>Bruck, Ho, Kipnis, Upfal, Weathersby: "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", IEEE TPDS 8 (1997).
 */
public final class BruckAllgather implements Allgather {
    @Override
    public String name() {
        return "bruck";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks), (ranks - 1.0) / ranks * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        int size = team.size();
        int rank = team.rank();
        // block of this rank first, then those of the ranks above it
        Object collected = team.scratch(blocks.total(size));
        team.copy(buffer, offset + blocks.offset(rank), collected, 0, blocks.length(rank));
        long bytes = blocks.length(rank);
        for (int distance = 1; distance < size; distance <<= 1) {
            int above = (rank + distance) % size;
            int below = (rank - distance + size) % size;
            int count = Math.min(distance, size - distance);
            long outgoing = count == distance ? bytes : bytes(blocks, rank, count, size);
            long incoming = bytes(blocks, above, count, size);
            team.exchange(collected, 0, outgoing, below, collected, bytes, incoming, above);
            bytes += incoming;
        }
        long position = blocks.length(rank);
        if (blocks.isUniform()) {
            long above = (size - 1 - rank) * position;
            team.copy(collected, position, buffer, offset + (rank + 1) * position, above);
            team.copy(collected, position + above, buffer, offset, rank * position);
            return;
        }
        for (int distance = 1; distance < size; distance++) {
            int owner = (rank + distance) % size;
            team.copy(collected, position, buffer, offset + blocks.offset(owner), blocks.length(owner));
            position += blocks.length(owner);
        }
    }

    /** Bytes in the blocks of {@code count} ranks from {@code first} upwards. */
    private static long bytes(Blocks blocks, int first, int count, int size) {
        if (blocks.isUniform()) {
            return count * blocks.length(first);
        }
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += blocks.length((first + i) % size);
        }
        return bytes;
    }
}
