package org.galerna.collectives.team;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.galerna.collectives.team.TeamShape.Groups;
import org.galerna.device.RankList;

/**
 * Where the members of a team are: in groups that have a host in common; where all are on one host, a heap, if some share one;
 * and otherwise a package of processors. Groups are numbered from 0 in the order of their lowest members, which lead them.
 *
 * <p>Does not change. All ranks that know the same members may use one object.
 */
final class TeamPlacement {
    private final int[] groups; // by member
    private final int[][] members; // by group, in the order of the ranks
    private final Groups kind;

    private TeamPlacement(int[] groups, int[][] members, Groups kind) {
        this.groups = groups;
        this.members = members;
        this.kind = kind;
    }

    /**
     * Puts members into groups.
     *
     * @param ranks rank of each member in the job
     * @param hostOf number of the host of a rank, from 0
     * @param packageOf number of the package that a rank is on, from 0; different for different hosts
     * @param heapOf number of the heap that a rank is on, from 0; different for different hosts
     */
    static TeamPlacement of(
            RankList ranks, IntUnaryOperator hostOf, IntUnaryOperator packageOf, IntUnaryOperator heapOf) {
        if (!haveInCommon(ranks, hostOf)) {
            return of(ranks, Groups.HOSTS, hostOf);
        }
        TeamPlacement byHeap = of(ranks, Groups.HEAPS, heapOf);
        return byHeap.kind() != Groups.NONE || haveInCommon(ranks, packageOf)
                ? byHeap
                : of(ranks, Groups.PACKAGES, packageOf);
    }

    private static TeamPlacement of(RankList ranks, Groups kind, IntUnaryOperator placeOf) {
        int size = ranks.size();
        int[] places = new int[size];
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (int member = 0; member < size; member++) {
            places[member] = placeOf.applyAsInt(ranks.get(member));
            first = Math.min(first, places[member]);
            last = Math.max(last, places[member]);
        }
        int[] numbers = new int[last - first + 1];
        Arrays.fill(numbers, -1);
        int[] counts = new int[Math.min(size, numbers.length)];
        int found = 0;
        for (int member = 0; member < size; member++) {
            int at = places[member] - first;
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
        return new TeamPlacement(places, members, kind);
    }

    private static boolean haveInCommon(RankList ranks, IntUnaryOperator place) {
        int first = place.applyAsInt(ranks.get(0));
        return ranks.stream().map(place).allMatch(each -> each == first);
    }

    /** What some but not all of the members have in common. */
    Groups kind() {
        if (members.length == 1 || members.length == groups.length) {
            return Groups.NONE;
        }
        return kind;
    }

    /** What a choice of algorithms depends on, if the members share no heap. */
    TeamShape shape() {
        return new TeamShape(groups.length, false, kind(), members.length);
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
