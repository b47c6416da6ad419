package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.shared.SlotAlgorithm;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;

/**
 * Every rank shows a copy of all its blocks on the common heap and copies its own from those of the others. Needs blocks of
 * one length.
 */
public final class SlotAlltoall implements Alltoall, SlotAlgorithm {
    @Override
    public long largest(int ranks) {
        return HeapMember.longestValue() / ranks;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks, 2.0 * ranks * bytes);
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
        HeapMember seat = team.seat();
        seat.begin();
        try {
            int rank = team.rank();
            long length = receiveBlocks.length(rank);
            long all = length * team.size();
            seat.exchange(send, sendOffset, all);
            for (int other = 0; other < team.size(); other++) {
                if (other != rank) {
                    long to = receiveOffset + receiveBlocks.offset(other);
                    seat.read(other, all, length * rank, receive, to, length);
                }
            }
            seat.allSeen();
        } finally {
            seat.finish();
        }
    }
}
