package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * As {@link BruckAlltoall}, for blocks of any lengths: in each round ranks tell each other the lengths of the blocks that travel, and
 * then send them in one message. 2 ⌈log₂ p⌉ messages in place of p − 1, and no rank speaks to more than 2 ⌈log₂ p⌉ others. A
 * block is sent about half as many times as there are rounds; one without bytes costs a number each time. For short blocks, or
 * few that are not empty, and many ranks.
 *
 * <p>Fan, Gilray, Pascucci, Huang, Micinski, Kumar: "Optimizing the Bruck algorithm for non-uniform all-to-all
 * communication", HPDC 2022; there it is two-phase Bruck.
 */
public final class VaryingBruckAlltoall implements Alltoall {
    @Override
    public String name() {
        return "bruck";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.BLOCKING;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(2 * rounds, rounds * ranks / 2 * (bytes + Long.BYTES));
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
        // by the distance that a block goes in all: where it is now
        Object[] places = new Object[size];
        long[] offsets = new long[size];
        long[] lengths = new long[size];
        for (int distance = 1; distance < size; distance++) {
            int destination = (rank + distance) % size;
            places[distance] = send;
            offsets[distance] = sendOffset + sendBlocks.offset(destination);
            lengths[distance] = sendBlocks.length(destination);
        }
        JoinedCopies copies = new JoinedCopies(team);
        for (int bit = 1; bit < size; bit <<= 1) {
            int[] travelling = distancesWith(bit, size);
            long[] arriving = new long[travelling.length];
            long[] leaving = new long[travelling.length];
            for (int each = 0; each < travelling.length; each++) {
                leaving[each] = lengths[travelling[each]];
            }
            long outgoing = VaryingExchange.sum(leaving, 0, leaving.length);
            int above = (rank + bit) % size;
            int below = (rank - bit + size) % size;
            long bytes = (long) travelling.length * Long.BYTES;
            team.exchange(leaving, 0, bytes, above, arriving, 0, bytes, below);
            Object packed = team.scratch(outgoing);
            long position = 0;
            for (int distance : travelling) {
                copies.add(places[distance], offsets[distance], packed, position, lengths[distance]);
                position += lengths[distance];
            }
            copies.finish();
            long incoming = VaryingExchange.sum(arriving, 0, arriving.length);
            Object arrived = team.scratch(incoming);
            team.exchange(packed, 0, outgoing, above, arrived, 0, incoming, below);
            position = 0;
            for (int each = 0; each < travelling.length; each++) {
                int distance = travelling[each];
                if (distance < 2 * bit) { // its highest bit: it is here
                    int source = (rank - distance + size) % size;
                    team.checkLength(arriving[each], receiveBlocks.length(source), source);
                    long place = receiveOffset + receiveBlocks.offset(source);
                    copies.add(arrived, position, receive, place, arriving[each]);
                } else {
                    places[distance] = arrived;
                    offsets[distance] = position;
                    lengths[distance] = arriving[each];
                }
                position += arriving[each];
            }
            copies.finish();
        }
    }

    /** The distances below {@code size} that have a bit, in ascending order. */
    private static int[] distancesWith(int bit, int size) {
        int[] distances = new int[size / (2 * bit) * bit + Math.max(0, size % (2 * bit) - bit)];
        int number = 0;
        for (int distance = bit; distance < size; distance += (distance + 1 & bit) == 0 ? bit + 1 : 1) {
            distances[number++] = distance;
        }
        return distances;
    }
}
