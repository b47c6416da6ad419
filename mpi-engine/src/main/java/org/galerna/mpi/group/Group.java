package org.galerna.mpi.group;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;

/** An ordered set of ranks of the job. Immutable; the operations are those of MPI 1.1 §5.3. */
public final class Group {
    /** Result of {@link #compare}: the same ranks in the same order. */
    public static final int IDENT = 0;

    /** Result of {@link #compare}: the same ranks in another order. */
    public static final int SIMILAR = 1;

    /** Result of {@link #compare}: different ranks. */
    public static final int UNEQUAL = 2;

    /** Rank of nobody, to and from which every message is empty. */
    public static final int NULL_PROCESS = -3;

    /** Rank of somebody who does not belong to the group. */
    public static final int UNDEFINED = -1;

    private final RankList members;
    private final int self;
    private final int rank;

    /**
     * A group.
     *
     * @param members the ranks in the job
     * @param self this rank in the job
     */
    public Group(RankList members, int self) {
        this.members = members;
        this.self = self;
        this.rank = rankOf(self);
    }

    /** Number of ranks. */
    public int size() {
        return members.size();
    }

    /** This rank in the group, {@link #UNDEFINED} if it does not belong to it. */
    public int rank() {
        return rank;
    }

    /** Rank in the job of rank {@code index} of the group. */
    public int member(int index) {
        return members.get(index);
    }

    /** The ranks in the job, in the order of the group. */
    public RankList members() {
        return members;
    }

    /** Rank in the group of a rank of the job, {@link #UNDEFINED} if it does not belong to it. */
    public int rankOf(int jobRank) {
        return members.indexOf(jobRank);
    }

    /**
     * For each rank of {@code from} its rank in {@code to}, {@link #UNDEFINED} where it has none; {@link #NULL_PROCESS}
     * stays what it is.
     */
    public static int[] transRanks(Group from, int[] ranks, Group to) {
        int[] translated = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            translated[i] =
                    ranks[i] == NULL_PROCESS ? NULL_PROCESS : to.rankOf(from.members.get(from.checked(ranks[i])));
        }
        return translated;
    }

    /** {@link #IDENT}, {@link #SIMILAR} or {@link #UNEQUAL}. */
    public static int compare(Group first, Group second) {
        if (first.members.equals(second.members)) {
            return IDENT;
        }
        return first.size() == second.size() && first.members.containsAll(second.members) ? SIMILAR : UNEQUAL;
    }

    /** The members of {@code first}, then those of {@code second} that are not in it. */
    public static Group union(Group first, Group second) {
        int self = first.self == UNDEFINED ? second.self : first.self; // nobody's group knows no rank
        RankList added = second.filtered(member -> !first.members.contains(member));
        if (added.size() == 0) {
            return new Group(first.members, self);
        }
        int[] union = Arrays.copyOf(first.members.toArray(), first.size() + added.size());
        System.arraycopy(added.toArray(), 0, union, first.size(), added.size());
        return new Group(RankList.of(union), self);
    }

    /** The members of {@code first} that are also in {@code second}, in the order of {@code first}. */
    public static Group intersection(Group first, Group second) {
        return new Group(first.filtered(second.members::contains), first.self);
    }

    /** The members of {@code first} that are not in {@code second}, in the order of {@code first}. */
    public static Group difference(Group first, Group second) {
        return new Group(first.filtered(member -> !second.members.contains(member)), first.self);
    }

    private RankList filtered(IntPredicate kept) {
        return RankList.of(members.stream().filter(kept).toArray());
    }

    /** Whether all members of another group are in this one. */
    public boolean containsAll(Group other) {
        return members.containsAll(other.members);
    }

    /**
     * The group of the given ranks of this one, in the given order.
     *
     * @throws DeviceException if a rank does not exist or is given twice
     */
    public Group incl(int[] ranks) {
        checkDistinct(ranks);
        return new Group(members.at(ranks), self);
    }

    /**
     * This group without the given ranks.
     *
     * @throws DeviceException if a rank does not exist or is given twice
     */
    public Group excl(int[] ranks) {
        RankList excluded = incl(ranks).members;
        return new Group(filtered(member -> !excluded.contains(member)), self);
    }

    /** The first so many ranks. */
    public Group first(int count) {
        return new Group(members.slice(0, 1, count), self);
    }

    /** As {@link #incl}, with ranges of (first, last, stride). */
    public Group rangeIncl(int[][] ranges) {
        return incl(ranks(ranges));
    }

    /** As {@link #excl}, with ranges of (first, last, stride). */
    public Group rangeExcl(int[][] ranges) {
        return excl(ranks(ranges));
    }

    private int[] ranks(int[][] ranges) {
        int[] ranks = new int[size()];
        int count = 0;
        for (int[] range : ranges) {
            if (range.length != 3 || range[2] == 0) {
                throw new DeviceException(
                        ErrorClass.ARG,
                        "a range of ranks is {first, last, stride} with a stride other than 0, not "
                                + Arrays.toString(range));
            }
            long stride = range[2];
            for (long each = range[0]; stride > 0 ? each <= range[1] : each >= range[1]; each += stride) {
                if (count == ranks.length) {
                    checked(each);
                    throw new DeviceException(
                            ErrorClass.RANK, "the ranges name more ranks than the group has (" + size() + ")");
                }
                ranks[count++] = checked(each);
            }
        }
        return Arrays.copyOf(ranks, count);
    }

    private void checkDistinct(int[] ranks) {
        BitSet seen = new BitSet();
        for (int each : ranks) {
            if (seen.get(checked(each))) {
                throw new DeviceException(ErrorClass.RANK, "rank " + each + " is given twice");
            }
            seen.set(each);
        }
    }

    private int checked(long each) {
        if (each < 0 || each >= size()) {
            throw new DeviceException(
                    ErrorClass.RANK,
                    size() == 0
                            ? "there is no rank " + each + " in an empty group"
                            : "there is no rank " + each + " in the group, its ranks are 0 to " + (size() - 1));
        }
        return (int) each;
    }
}
