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
            int runs = size / (2 * bit);
            long last = 2L * bit * runs + bit;
            long run = bit * length;
            long rest = Math.max(0, size - last) * length;
            long bytes = runs * run + rest;
            team.copyRuns(travelling, run, 2 * run, outgoing, 0, run, run, runs);
            team.copy(travelling, last * length, outgoing, runs * run, rest);
            team.exchange(outgoing, 0, bytes, (rank + bit) % size, incoming, 0, bytes, (rank - bit + size) % size);
            team.copyRuns(incoming, 0, run, travelling, run, 2 * run, run, runs);
            team.copy(incoming, runs * run, travelling, last * length, rest);
        }
        // the block that has gone a distance is of the rank so far below
        team.copyRuns(travelling, length, length, receive, receiveOffset + (rank - 1) * length, -length, length, rank);
        team.copyRuns(
                travelling,
                (rank + 1) * length,
                length,
                receive,
                receiveOffset + (size - 1) * length,
                -length,
                length,
                above);
    }
}
