package org.galerna.collectives.alltoall;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** What one rank does in a {@link TwoLevelAlltoall} of blocks of any lengths, which ranks of a host tell each other first. */
final class VaryingExchange {
    private final Team team;
    private final Speakers speakers;
    private final Blocks sendBlocks;
    private final Blocks receiveBlocks;
    private final int[] beside;
    private final int self;
    private final boolean inOrder;

    /** The hosts that each rank beside this one speaks to. */
    private final int[][] hosts;

    /** Number of ranks on these. */
    private final int[] counts;

    /** The hosts that this rank speaks to. */
    private final int[] partners;

    private final JoinedCopies copies;

    VaryingExchange(Team team, Speakers speakers, Blocks sendBlocks, Blocks receiveBlocks) {
        this.team = team;
        copies = new JoinedCopies(team);
        this.speakers = speakers;
        this.sendBlocks = sendBlocks;
        this.receiveBlocks = receiveBlocks;
        beside = speakers.beside();
        self = speakers.self();
        inOrder = speakers.areInOrder();
        hosts = new int[beside.length][];
        counts = new int[beside.length];
        for (int place = 0; place < beside.length; place++) {
            hosts[place] = speakers.spokenToBy(place);
            for (int host : hosts[place]) {
                counts[place] += speakers.membersOf(host).length;
            }
        }
        partners = hosts[self];
    }

    void run(Object send, long sendOffset, Object receive, long receiveOffset) {
        long[][] told = lengthsOfNeighbours();
        Object[] given = exchangeInside(send, sendOffset, receive, receiveOffset, told);
        Object[] arrived = exchangeBetween(given, told);
        distribute(arrived, told, receive, receiveOffset);
    }

    /**
     * What each neighbour says of the ranks of the hosts of this one, in their order: how long the blocks are that it has for
     * them, and then how long those are that it expects of them. So no host has to tell another one lengths.
     */
    private long[][] lengthsOfNeighbours() {
        long[][] told = new long[beside.length][2 * counts[self]];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            if (neighbour != self) {
                team.startReceive(told[neighbour], 0, bytesOf(told[neighbour]), beside[neighbour]);
            }
        }
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            int count = counts[neighbour];
            long[] own = neighbour == self ? told[self] : new long[2 * count];
            int number = 0;
            for (int host : hosts[neighbour]) {
                int[] there = speakers.membersOf(host);
                sendBlocks.putLengths(there, own, number);
                receiveBlocks.putLengths(there, own, count + number);
                number += there.length;
            }
            if (neighbour != self) {
                team.startSend(own, 0, bytesOf(own), beside[neighbour]);
            }
        }
        team.awaitAll();
        return told;
    }

    private static long bytesOf(long[] numbers) {
        return (long) numbers.length * Long.BYTES;
    }

    /**
     * Exchanges blocks with the neighbours: those for themselves, and those for the hosts that they speak to.
     *
     * @return what each neighbour has for the hosts of this rank
     */
    private Object[] exchangeInside(Object send, long sendOffset, Object receive, long receiveOffset, long[][] told) {
        Object[] given = new Object[beside.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long bytes = sum(told[neighbour], 0, counts[self]);
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
            Object packed = neighbour == self ? given[self] : team.scratch(total(sendBlocks, hosts[neighbour]));
            long bytes = 0;
            for (int host : hosts[neighbour]) {
                int[] there = speakers.membersOf(host);
                if (sendBlocks.isUniform() && inOrder) {
                    long length = sendBlocks.total(there);
                    copies.add(send, sendOffset + sendBlocks.offset(there[0]), packed, bytes, length);
                    bytes += length;
                    continue;
                }
                for (int member : there) {
                    long length = sendBlocks.length(member);
                    copies.add(send, sendOffset + sendBlocks.offset(member), packed, bytes, length);
                    bytes += length;
                }
            }
            copies.finish();
            if (neighbour != self) {
                int member = beside[neighbour];
                team.startSend(send, sendOffset + sendBlocks.offset(member), sendBlocks.length(member), member);
                team.startSend(packed, 0, bytes, member);
            }
        }
        team.awaitAll();
        return given;
    }

    /**
     * Exchanges what hosts have for each other.
     *
     * @return the blocks of each host that this rank speaks to, by the member here, and of each by the member there
     */
    private Object[] exchangeBetween(Object[] given, long[][] told) {
        Object[] arrived = new Object[partners.length];
        Object[] leaving = new Object[partners.length];
        long[] leavingBytes = new long[partners.length];
        long[] starts = new long[beside.length]; // of what each neighbour has for the next host
        int first = 0; // number of the first member there
        for (int place = 0; place < partners.length; place++) {
            int end = first + speakers.membersOf(partners[place]).length;
            long arrivedBytes = 0;
            for (long[] lengths : told) {
                leavingBytes[place] += sum(lengths, first, end);
                arrivedBytes += sum(lengths, counts[self] + first, counts[self] + end);
            }
            leaving[place] = team.scratch(leavingBytes[place]);
            pack(given, starts, told, first, end, leaving[place]);
            arrived[place] = team.scratch(arrivedBytes);
            team.startReceive(arrived[place], 0, arrivedBytes, speakers.speakerOf(partners[place]));
            first = end;
        }
        for (int place = 0; place < partners.length; place++) {
            team.startSend(leaving[place], 0, leavingBytes[place], speakers.speakerOf(partners[place]));
        }
        team.awaitAll();
        return arrived;
    }

    /** Puts the blocks of all neighbours for one host side by side, by the member there, and of each by the neighbour. */
    private void pack(Object[] given, long[] starts, long[][] told, int first, int end, Object packed) {
        if (haveOneLength(told, first, end)) {
            long length = told[0][first];
            long row = beside.length * length;
            int there = end - first;
            for (int neighbour = 0; neighbour < beside.length; neighbour++) {
                long start = starts[neighbour];
                team.copyRuns(given[neighbour], start, length, packed, neighbour * length, row, length, there);
                starts[neighbour] += there * length;
            }
            return;
        }
        long position = 0;
        for (int number = first; number < end; number++) {
            for (int neighbour = 0; neighbour < beside.length; neighbour++) {
                long length = told[neighbour][number];
                copies.add(given[neighbour], starts[neighbour], packed, position, length);
                starts[neighbour] += length;
                position += length;
            }
        }
        copies.finish();
    }

    private static boolean haveOneLength(long[][] told, int first, int end) {
        long length = told[0][first];
        for (long[] lengths : told) {
            for (int number = first; number < end; number++) {
                if (lengths[number] != length) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Gives each neighbour the blocks for it, in the order of the hosts of this rank and of their members. */
    private void distribute(Object[] arrived, long[][] told, Object receive, long receiveOffset) {
        Object[] incoming = new Object[beside.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            if (neighbour != self) {
                long bytes = total(receiveBlocks, hosts[neighbour]);
                incoming[neighbour] = team.scratch(bytes);
                team.startReceive(incoming[neighbour], 0, bytes, beside[neighbour]);
            }
        }
        long[] starts = new long[arrived.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            int first = counts[self];
            long[] lengths = new long[arrived.length];
            for (int place = 0; place < arrived.length; place++) {
                int end = first + speakers.membersOf(partners[place]).length;
                lengths[place] = sum(told[neighbour], first, end);
                first = end;
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
            for (int host : hosts[neighbour]) {
                int[] there = speakers.membersOf(host);
                if (receiveBlocks.isUniform() && inOrder) {
                    long length = receiveBlocks.total(there);
                    long place = receiveOffset + receiveBlocks.offset(there[0]);
                    copies.add(incoming[neighbour], position, receive, place, length);
                    position += length;
                    continue;
                }
                for (int member : there) {
                    long length = receiveBlocks.length(member);
                    long place = receiveOffset + receiveBlocks.offset(member);
                    copies.add(incoming[neighbour], position, receive, place, length);
                    position += length;
                }
            }
            copies.finish();
        }
    }

    /** Bytes of the blocks of the ranks on some hosts. */
    private long total(Blocks blocks, int[] on) {
        long total = 0;
        for (int host : on) {
            total += blocks.total(speakers.membersOf(host));
        }
        return total;
    }

    static long sum(long[] lengths, int from, int to) {
        long sum = 0;
        for (int each = from; each < to; each++) {
            sum += lengths[each];
        }
        return sum;
    }
}
