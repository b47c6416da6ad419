package org.galerna.collectives.team;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.link.wireup.Hosts;
import org.jspecify.annotations.Nullable;

/**
 * A team by hosts, as one member sees it: those on its own host, and the leaders, of which each host has one. Hosts are
 * numbered from 0 in the order of their lowest members, which are their leaders; so a host's number is the rank of its
 * leader among the leaders, and a leader is rank 0 on its host. Where all are on one host, and some share a heap, the heaps
 * take the place of hosts in all of this.
 *
 * <p>Both are teams with the device and the context of the whole one, and their collectives begin and end with its. So
 * they run one algorithm after the other, on all members in the same order, and their messages match as those of a
 * single algorithm do.
 */
public final class HostTeams {
    private final int[] hosts;
    private final int number;
    private final int own;
    private final Team beside;
    private final @Nullable Team leaders;

    HostTeams(Team team) {
        int size = team.size();
        hosts = new int[size];
        int[] members = IntStream.range(0, size).map(team::deviceRank).toArray();
        IntUnaryOperator placing = placing(team.device().hosts(), members);
        int[] numbers = new int[team.device().size()]; // no more places than ranks
        Arrays.fill(numbers, -1);
        int[] lowest = new int[size];
        int found = 0;
        for (int member = 0; member < size; member++) {
            int place = placing.applyAsInt(members[member]);
            if (numbers[place] < 0) {
                lowest[found] = member;
                numbers[place] = found++;
            }
            hosts[member] = numbers[place];
        }
        number = found;
        own = hosts[team.rank()];
        int[] neighbours =
                IntStream.range(0, size).filter(member -> hosts[member] == own).toArray();
        boolean byHeap = team.shape().groups() == Groups.HEAPS;
        beside = new Team(team, neighbours, byHeap ? ", inside the process" : ", inside the host");
        leaders = lowest[own] == team.rank()
                ? new Team(team, Arrays.copyOf(lowest, number), byHeap ? ", between processes" : ", between hosts")
                : null;
    }

    /** What some but not all of the members have in common. */
    static Groups groups(Hosts hosts, int[] members) {
        long used =
                Arrays.stream(members).map(placing(hosts, members)).distinct().count();
        if (used == 1 || used == members.length) {
            return Groups.NONE;
        }
        return number(hosts, members) == 1 ? Groups.HEAPS : Groups.HOSTS;
    }

    /** Where a rank is. */
    private static IntUnaryOperator placing(Hosts hosts, int[] members) {
        return number(hosts, members) == 1 ? hosts::heapOf : hosts::hostOf;
    }

    /** How many hosts the members are on. */
    static int number(Hosts hosts, int[] members) {
        if (hosts.number() == 1) {
            return 1;
        }
        return (int) Arrays.stream(members).map(hosts::hostOf).distinct().count();
    }

    /** How many hosts the members are on. */
    public int number() {
        return number;
    }

    /** Number of the host that this rank is on. */
    public int host() {
        return own;
    }

    /** Number of the host that a member of the whole team is on. */
    public int hostOf(int member) {
        return hosts[member];
    }

    /** Rank that a member of the whole team has on its host. */
    public int rankBeside(int member) {
        int rank = 0;
        for (int lower = 0; lower < member; lower++) {
            rank += hosts[lower] == hosts[member] ? 1 : 0;
        }
        return rank;
    }

    /** The members on this host; possibly this rank alone. */
    public Team beside() {
        return beside;
    }

    /** The leaders of all hosts; null if this rank is not one of them. */
    public @Nullable Team leaders() {
        return leaders;
    }

    void begin(String operation, String algorithm, int tag, long bytes) {
        beside.beginPart(operation, algorithm, tag, bytes);
        if (leaders != null) {
            leaders.beginPart(operation, algorithm, tag, bytes);
        }
    }

    void end() {
        beside.end();
        if (leaders != null) {
            leaders.end();
        }
    }

    void abandon() {
        beside.abandon();
        if (leaders != null) {
            leaders.abandon();
        }
    }
}
