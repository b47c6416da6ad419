package org.galerna.collectives.team;

import org.galerna.collectives.team.TeamShape.Groups;
import org.jspecify.annotations.Nullable;

/**
 * A team by hosts, as one member sees it: those on its own host, and the leaders, of which each host has one. Hosts are
 * numbered from 0 in the order of their lowest members, which are their leaders; so a host's number is the rank of its
 * leader among the leaders, and a leader is rank 0 on its host. Where all are on one host, the heaps that some of them share
 * take the place of hosts in all of this, and otherwise the packages of processors.
 *
 * <p>Both are teams with the device and the context of the whole one, and their collectives begin and end with its. So
 * they run one algorithm after the other, on all members in the same order, and their messages match as those of a
 * single algorithm do.
 */
public final class HostTeams {
    private final TeamPlacement placement;
    private final int own;
    private final Team beside;
    private final @Nullable Team leaders;

    HostTeams(Team team, TeamPlacement placement) {
        this.placement = placement;
        own = placement.groupOf(team.rank());
        Groups groups = team.shape().groups();
        int[] neighbours = placement.membersOf(own);
        beside = team.part(neighbours, ", inside the " + nameOf(groups));
        leaders = neighbours[0] == team.rank()
                ? team.part(placement.leaders(), ", between " + nameOf(groups) + (groups == Groups.HEAPS ? "es" : "s"))
                : null;
    }

    private static String nameOf(Groups groups) {
        return switch (groups) {
            case HEAPS -> "process";
            case PACKAGES -> "package";
            case HOSTS, NONE -> "host";
        };
    }

    /** How many hosts the members are on. */
    public int number() {
        return placement.groups();
    }

    /** Number of the host that this rank is on. */
    public int host() {
        return own;
    }

    /** Number of the host that a member of the whole team is on. */
    public int hostOf(int member) {
        return placement.groupOf(member);
    }

    /** The members of the whole team on a host, in the order of their ranks there; not to be changed. */
    public int[] membersOf(int host) {
        return placement.membersOf(host);
    }

    /** Whether the ranks of each host follow each other. */
    public boolean areInOrder() {
        return placement.isInOrder();
    }

    /** Rank that a member of the whole team has on its host. */
    public int rankBeside(int member) {
        return placement.rankInGroup(member);
    }

    /** The members on this host; possibly this rank alone. */
    public Team beside() {
        return beside;
    }

    /** The leaders of all hosts; null if this rank is not one of them. */
    public @Nullable Team leaders() {
        return leaders;
    }

    void begin(String operation, Named algorithm, int tag, long bytes) {
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
