package org.galerna.collectives.alltoall;

import java.util.stream.IntStream;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/** Which rank of a host speaks to which other host in a {@link TwoLevelAlltoall}, as one rank sees it. */
final class Speakers {
    private final HostTeams hosts;
    private final int[] beside;
    private final int self;

    Speakers(Team team, HostTeams hosts) {
        this.hosts = hosts;
        beside = hosts.membersOf(hosts.host());
        self = hosts.rankBeside(team.rank());
    }

    /** The ranks of this host; not to be changed. */
    int[] beside() {
        return beside;
    }

    /** Place of this rank among them. */
    int self() {
        return self;
    }

    /** The ranks of a host in their order; not to be changed. */
    int[] membersOf(int host) {
        return hosts.membersOf(host);
    }

    /** Whether the ranks of each host follow each other. */
    boolean areInOrder() {
        return hosts.areInOrder();
    }

    /** The other hosts that the rank at this place speaks to. */
    int[] spokenToBy(int place) {
        return IntStream.iterate(place, host -> host < hosts.number(), host -> host + beside.length)
                .filter(host -> host != hosts.host())
                .toArray();
    }

    /** The rank that speaks for another host to this one. */
    int speakerOf(int host) {
        int[] there = hosts.membersOf(host);
        return there[hosts.host() % there.length];
    }
}
