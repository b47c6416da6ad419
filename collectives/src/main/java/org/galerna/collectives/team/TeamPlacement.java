package org.galerna.collectives.team;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.galerna.collectives.team.TeamShape.Groups;

/**
 * Where the members of a team are: in groups that have a host in common, or a heap where all are on one host. Groups are
 * numbered from 0 in the order of their lowest members, which lead them.
 *
 * <p>Does not change. All ranks that know the same members may use one object.
 */
final class TeamPlacement {
    private final int[] groups; // by member
    private final int[][] members; // by group, in the order of the ranks
    private final boolean byHost;

    private TeamPlacement(int[] groups, int[][] members, boolean byHost) {
        this.groups = groups;
        this.members = members;
        this.byHost = byHost;
    }

    /**
     * Puts members into groups.
     *
     * @param ranks rank of each member in the job
     * @param hostOf number of the host of a rank, from 0
     * @param partOf number of the part of a host that a rank is on, from 0; different for different hosts
     */
    static TeamPlacement of(int[] ranks, IntUnaryOperator hostOf, IntUnaryOperator partOf) {
        int size = ranks.length;
        boolean byHost = !haveInCommon(ranks, hostOf);
        int[] places = new int[size];
        int last = 0;
        for (int member = 0; member < size; member++) {
            places[member] = (byHost ? hostOf : partOf).applyAsInt(ranks[member]);
            last = Math.max(last, places[member]);
        }
        int[] numbers = new int[last + 1];
        Arrays.fill(numbers, -1);
        int[] counts = new int[Math.min(size, numbers.length)];
        int found = 0;
        for (int member = 0; member < size; member++) {
            int at = places[member];
            if (numbers[at] < 0) {
                numbers[at] = found++;
            }
            places[member] = numbers[at];
            counts[numbers[at]]++;
        }
        int[][] members = new int[found][];
        for (int group = 0; group < found; group++) {
            members[group] = new int[counts[group]];
            counts[group] = 0;
        }
        for (int member = 0; member < size; member++) {
            int group = places[member];
            members[group][counts[group]++] = member;
        }
        return new TeamPlacement(places, members, byHost);
    }

    private static boolean haveInCommon(int[] ranks, IntUnaryOperator place) {
        int first = place.applyAsInt(ranks[0]);
        for (int rank : ranks) {
            if (place.applyAsInt(rank) != first) {
                return false;
            }
        }
        return true;
    }

    /** What some but not all of the members have in common. */
    Groups kind() {
        if (members.length == 1 || members.length == groups.length) {
            return Groups.NONE;
        }
        return byHost ? Groups.HOSTS : Groups.HEAPS;
    }

    /** Number of groups, at least 1. */
    int groups() {
        return members.length;
    }

    /** The group of a member. */
    int groupOf(int member) {
        return groups[member];
    }

    /** The members of a group in the order of their ranks; not to be changed. */
    int[] membersOf(int group) {
        return members[group];
    }

    /** The lowest member of each group. */
    int[] leaders() {
        int[] leaders = new int[members.length];
        for (int group = 0; group < leaders.length; group++) {
            leaders[group] = members[group][0];
        }
        return leaders;
    }

    /** The place of a member among those of its group, from 0. */
    int rankInGroup(int member) {
        return Arrays.binarySearch(members[groups[member]], member);
    }

    /** Whether the members of each group follow each other. */
    boolean isInOrder() {
        for (int[] group : members) {
            if (group[group.length - 1] - group[0] != group.length - 1) {
                return false;
            }
        }
        return true;
    }
}
