package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Blocks travel along the bits of their distance: in round {@code k} those whose distance has bit {@code k} set go 2ᵏ
 * ranks up, all in one message. ⌈log₂ p⌉ messages in place of p − 1, but each block is sent about half as many times.
 * Blocks of one length only. For short blocks and many ranks.
 *
 * <p>Bruck, Ho, Kipnis, Upfal, Weathersby: "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", IEEE TPDS 8 (1997).
 */
public final class BruckAlltoall implements Alltoall {
    @Override
    public String name() {
        return "bruck";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(rounds, rounds * ranks / 2 * bytes);
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
        long length = sendBlocks.length(rank);
        // block i of "travelling" has i ranks to go in all
        Object travelling = team.scratch(size * length);
        int above = size - 1 - rank;
        team.copy(send, sendOffset + (rank + 1) * length, travelling, length, above * length);
        team.copy(send, sendOffset, travelling, (above + 1) * length, rank * length);
        Object outgoing = team.scratch((size + 1) / 2 * length);
        Object incoming = team.scratch((size + 1) / 2 * length);
        for (int bit = 1; bit < size; bit <<= 1) {
            // the distances with this bit come in runs of as many as the bit says; the last one may be cut off
            long bytes = 0;
            for (int distance = bit; distance < size; distance += 2 * bit) {
                long run = Math.min(bit, size - distance) * length;
                team.copy(travelling, distance * length, outgoing, bytes, run);
                bytes += run;
            }
            team.exchange(outgoing, 0, bytes, (rank + bit) % size, incoming, 0, bytes, (rank - bit + size) % size);
            long position = 0;
            for (int distance = bit; distance < size; distance += 2 * bit) {
                long run = Math.min(bit, size - distance) * length;
                team.copy(incoming, position, travelling, distance * length, run);
                position += run;
            }
        }
        for (int distance = 1; distance < size; distance++) {
            int source = (rank - distance + size) % size;
            team.copy(travelling, distance * length, receive, receiveOffset + source * length, length);
        }
    }
}
