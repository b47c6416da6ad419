package org.galerna.collectives.alltoall;

import org.galerna.collectives.team.Team;

/**
 * What one rank does in a {@link TwoLevelAlltoall} of blocks of one length. No step of it looks at each block: blocks of a
 * host whose ranks follow each other move together, others in runs.
 */
final class EvenExchange {
    private final Team team;
    private final Speakers speakers;
    private final long length;
    private final int[] beside;
    private final int self;
    private final boolean inOrder;

    /** The hosts that each rank beside this one speaks to. */
    private final int[][] hosts;

    /** Number of ranks on these. */
    private final int[] counts;

    EvenExchange(Team team, Speakers speakers, long length) {
        this.team = team;
        this.speakers = speakers;
        this.length = length;
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
    }

    void run(Object send, long sendOffset, Object receive, long receiveOffset) {
        Object[] given = exchangeInside(send, sendOffset, receive, receiveOffset);
        Object[] arrived = exchangeBetween(given);
        distribute(arrived, receive, receiveOffset);
    }

    /**
     * Exchanges blocks with the neighbours: those for themselves, and those for the hosts that they speak to.
     *
     * @return what each neighbour has for the hosts of this rank
     */
    private Object[] exchangeInside(Object send, long sendOffset, Object receive, long receiveOffset) {
        Object[] given = new Object[beside.length];
        long incoming = counts[self] * length;
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            given[neighbour] = team.scratch(incoming);
            if (neighbour != self) {
                int member = beside[neighbour];
                team.startReceive(receive, receiveOffset + member * length, length, member);
                team.startReceive(given[neighbour], 0, incoming, member);
            }
        }
        for (int distance = 0; distance < beside.length; distance++) {
            int neighbour = (self + distance) % beside.length;
            long bytes = counts[neighbour] * length;
            Object packed = neighbour == self ? given[self] : team.scratch(bytes);
            long position = 0;
            for (int host : hosts[neighbour]) {
                position = pack(send, sendOffset, speakers.membersOf(host), packed, position);
            }
            if (neighbour != self) {
                int member = beside[neighbour];
                team.startSend(send, sendOffset + member * length, length, member);
                team.startSend(packed, 0, bytes, member);
            }
        }
        team.awaitAll();
        return given;
    }

    /** Puts the blocks for ranks of one host side by side; returns where they end. */
    private long pack(Object send, long sendOffset, int[] members, Object packed, long start) {
        if (inOrder) {
            team.copy(send, sendOffset + members[0] * length, packed, start, members.length * length);
        } else {
            for (int place = 0; place < members.length; place++) {
                team.copy(send, sendOffset + members[place] * length, packed, start + place * length, length);
            }
        }
        return start + members.length * length;
    }

    /**
     * Exchanges what hosts have for each other.
     *
     * @return the blocks of each host that this rank speaks to, by the member here, and of each by the member there
     */
    private Object[] exchangeBetween(Object[] given) {
        int[] partners = hosts[self];
        Object[] leaving = new Object[partners.length];
        Object[] arrived = new Object[partners.length];
        long[] bytes = new long[partners.length];
        long start = 0; // of what each neighbour has for the next host
        for (int place = 0; place < partners.length; place++) {
            int there = speakers.membersOf(partners[place]).length;
            long row = beside.length * length;
            bytes[place] = there * row;
            leaving[place] = team.scratch(bytes[place]);
            for (int neighbour = 0; neighbour < beside.length; neighbour++) {
                team.copyRuns(given[neighbour], start, length, leaving[place], neighbour * length, row, length, there);
            }
            start += there * length;
        }
        for (int place = 0; place < partners.length; place++) {
            arrived[place] = team.scratch(bytes[place]);
            team.startReceive(arrived[place], 0, bytes[place], speakers.speakerOf(partners[place]));
        }
        for (int place = 0; place < partners.length; place++) {
            team.startSend(leaving[place], 0, bytes[place], speakers.speakerOf(partners[place]));
        }
        team.awaitAll();
        return arrived;
    }

    /** Gives each neighbour the blocks for it, in the order of the hosts of this rank and of their members. */
    private void distribute(Object[] arrived, Object receive, long receiveOffset) {
        Object[] incoming = new Object[beside.length];
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            if (neighbour != self) {
                long bytes = counts[neighbour] * length;
                incoming[neighbour] = team.scratch(bytes);
                team.startReceive(incoming[neighbour], 0, bytes, beside[neighbour]);
            }
        }
        long outgoingBytes = counts[self] * length;
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            Object outgoing = team.scratch(outgoingBytes);
            long position = 0;
            for (int place = 0; place < arrived.length; place++) {
                long row = speakers.membersOf(hosts[self][place]).length * length;
                team.copy(arrived[place], neighbour * row, outgoing, position, row);
                position += row;
            }
            if (neighbour == self) {
                incoming[self] = outgoing;
            } else {
                team.startSend(outgoing, 0, outgoingBytes, beside[neighbour]);
            }
        }
        team.awaitAll();
        for (int neighbour = 0; neighbour < beside.length; neighbour++) {
            long position = 0;
            for (int host : hosts[neighbour]) {
                position = unpack(incoming[neighbour], position, speakers.membersOf(host), receive, receiveOffset);
            }
        }
    }

    /** Puts the blocks of ranks of one host to their places; returns where they end. */
    private long unpack(Object incoming, long start, int[] members, Object receive, long receiveOffset) {
        if (inOrder) {
            team.copy(incoming, start, receive, receiveOffset + members[0] * length, members.length * length);
        } else {
            for (int place = 0; place < members.length; place++) {
                team.copy(incoming, start + place * length, receive, receiveOffset + members[place] * length, length);
            }
        }
        return start + members.length * length;
    }
}
