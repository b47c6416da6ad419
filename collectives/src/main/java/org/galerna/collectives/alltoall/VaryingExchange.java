package org.galerna.collectives.alltoall;

import java.util.Arrays;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** What one rank does in a {@link TwoLevelAlltoall} of blocks of any lengths, which ranks tell each other first. */
final class VaryingExchange {
    private final Team team;
    private final Speakers speakers;
    private final Blocks sendBlocks;
    private final Blocks receiveBlocks;
    private final int[] beside;
    private final int self;

    /** The ranks of the other hosts that each rank beside this one speaks to, host after host. */
    private final int[][] members;

    /** The hosts that this rank speaks to. */
    private final int[] partners;

    VaryingExchange(Team team, Speakers speakers, Blocks sendBlocks, Blocks receiveBlocks) {
        this.team = team;
        this.speakers = speakers;
        this.sendBlocks = sendBlocks;
        this.receiveBlocks = receiveBlocks;
        beside = speakers.beside();
        self = speakers.self();
        partners = speakers.spokenToBy(self);
        members = new int[beside.length][];
        for (int speaker = 0; speaker < beside.length; speaker++) {
            members[speaker] = Arrays.stream(speakers.spokenToBy(speaker))
                    .flatMap(host -> Arrays.stream(speakers.membersOf(host)))
                    .toArray();
        }
    }

    void run(Object send, long sendOffset, Object receive, long receiveOffset) {
        long[][] lengths = lengthsOfNeighbours();
        Object[] given = exchangeInside(send, sendOffset, receive, receiveOffset, lengths);
        exchangeBetween(given, lengths, receive, receiveOffset);
    }

    /** How long the blocks are that each neighbour has for the hosts of this rank. */
    private long[][] lengthsOfNeighbours() {
        long[][] lengths = new long[beside.length][members[self].length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            if (neighbour != self) {
                team.startReceive(lengths[neighbour], 0, bytesOf(lengths[neighbour]), beside[neighbour]);
            }
        }
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long[] own = neighbour == self ? lengths[self] : new long[members[neighbour].length];
            for (int number = 0; number < own.length; number++) {
                own[number] = sendBlocks.length(members[neighbour][number]);
            }
            if (neighbour != self) {
                team.startSend(own, 0, bytesOf(own), beside[neighbour]);
            }
        }
        team.awaitAll();
        return lengths;
    }

    private static long bytesOf(long[] numbers) {
        return (long) numbers.length * Long.BYTES;
    }

    /**
     * Exchanges blocks with the neighbours: those for themselves, and those for the hosts that they speak to.
     *
     * @return what each neighbour has for the hosts of this rank
     */
    private Object[] exchangeInside(
            Object send, long sendOffset, Object receive, long receiveOffset, long[][] lengths) {
        Object[] given = new Object[beside.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long bytes = sum(lengths[neighbour], 0, lengths[neighbour].length);
            given[neighbour] = team.scratch(bytes);
            if (neighbour != self) {
                int member = beside[neighbour];
                team.startReceive(
                        receive, receiveOffset + receiveBlocks.offset(member), receiveBlocks.length(member), member);
                team.startReceive(given[neighbour], 0, bytes, member);
            }
        }
        for (int distance = 0; distance < beside.length; distance++) {
            int neighbour = (self + distance) % beside.length;
            Object packed = neighbour == self ? given[self] : team.scratch(sendBlocks.total(members[neighbour]));
            long bytes = 0;
            for (int member : members[neighbour]) {
                long length = sendBlocks.length(member);
                team.copy(send, sendOffset + sendBlocks.offset(member), packed, bytes, length);
                bytes += length;
            }
            if (neighbour != self) {
                int member = beside[neighbour];
                team.startSend(send, sendOffset + sendBlocks.offset(member), sendBlocks.length(member), member);
                team.startSend(packed, 0, bytes, member);
            }
        }
        team.awaitAll();
        return given;
    }

    /** Exchanges what hosts have for each other, and gives the neighbours what is for them. */
    private void exchangeBetween(Object[] given, long[][] lengths, Object receive, long receiveOffset) {
        Object[] packed = new Object[partners.length];
        long[][] leaving = new long[partners.length][];
        long[] starts = new long[beside.length]; // of what each neighbour has for the next host
        int number = 0;
        for (int place = 0; place < partners.length; place++) {
            int there = speakers.membersOf(partners[place]).length;
            leaving[place] = new long[there * beside.length];
            packed[place] = pack(given, starts, lengths, number, leaving[place]);
            number += there;
        }
        long[][] arriving = lengthsOfPartners(leaving);
        Object[] arrived = new Object[partners.length];
        for (int place = 0; place < partners.length; place++) {
            long bytes = sum(arriving[place], 0, arriving[place].length);
            arrived[place] = team.scratch(bytes);
            team.startReceive(arrived[place], 0, bytes, speakers.speakerOf(partners[place]));
        }
        for (int place = 0; place < partners.length; place++) {
            long bytes = sum(leaving[place], 0, leaving[place].length);
            team.startSend(packed[place], 0, bytes, speakers.speakerOf(partners[place]));
        }
        team.awaitAll();
        distribute(arrived, arriving, receive, receiveOffset);
    }

    /** Puts the blocks of all neighbours for one host side by side, by the member there, and of each by the neighbour. */
    private Object pack(Object[] given, long[] starts, long[][] lengths, int firstNumber, long[] leaving) {
        int there = leaving.length / beside.length;
        for (int block = 0; block < leaving.length; block++) {
            leaving[block] = lengths[block % beside.length][firstNumber + block / beside.length];
        }
        Object packed = team.scratch(sum(leaving, 0, there * beside.length));
        long position = 0;
        for (int block = 0; block < leaving.length; block++) {
            int neighbour = block % beside.length;
            team.copy(given[neighbour], starts[neighbour], packed, position, leaving[block]);
            starts[neighbour] += leaving[block];
            position += leaving[block];
        }
        return packed;
    }

    /** How long the blocks are that come from each host, by the member here, and of each by the member there. */
    private long[][] lengthsOfPartners(long[][] leaving) {
        long[][] arriving = new long[partners.length][];
        for (int place = 0; place < partners.length; place++) {
            arriving[place] = new long[leaving[place].length];
            team.startReceive(arriving[place], 0, bytesOf(arriving[place]), speakers.speakerOf(partners[place]));
        }
        for (int place = 0; place < partners.length; place++) {
            team.startSend(leaving[place], 0, bytesOf(leaving[place]), speakers.speakerOf(partners[place]));
        }
        team.awaitAll();
        return arriving;
    }

    /** Gives each neighbour the blocks for it, in the order of the hosts of this rank and of their members. */
    private void distribute(Object[] arrived, long[][] arriving, Object receive, long receiveOffset) {
        Object[] incoming = new Object[beside.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            if (neighbour != self) {
                long bytes = receiveBlocks.total(members[neighbour]);
                incoming[neighbour] = team.scratch(bytes);
                team.startReceive(incoming[neighbour], 0, bytes, beside[neighbour]);
            }
        }
        long[] starts = new long[arrived.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long[] lengths = new long[arrived.length];
            for (int place = 0; place < arrived.length; place++) {
                int there = arriving[place].length / beside.length;
                lengths[place] = sum(arriving[place], neighbour * there, (neighbour + 1) * there);
            }
            Object outgoing = team.scratch(sum(lengths, 0, lengths.length));
            long bytes = 0;
            for (int place = 0; place < arrived.length; place++) {
                team.copy(arrived[place], starts[place], outgoing, bytes, lengths[place]);
                starts[place] += lengths[place];
                bytes += lengths[place];
            }
            if (neighbour == self) {
                incoming[self] = outgoing;
            } else {
                team.startSend(outgoing, 0, bytes, beside[neighbour]);
            }
        }
        team.awaitAll();
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long position = 0;
            for (int member : members[neighbour]) {
                long length = receiveBlocks.length(member);
                team.copy(incoming[neighbour], position, receive, receiveOffset + receiveBlocks.offset(member), length);
                position += length;
            }
        }
    }

    private static long sum(long[] lengths, int from, int to) {
        long sum = 0;
        for (int each = from; each < to; each++) {
            sum += lengths[each];
        }
        return sum;
    }
}
