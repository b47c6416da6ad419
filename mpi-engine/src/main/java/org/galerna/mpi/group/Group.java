package org.galerna.mpi.group;

import java.util.Arrays;
import java.util.BitSet;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;

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

    private final int[] members;
    private final int self;
    private final int rank;

    /**
     * A group.
     *
     * @param members the ranks in the job, none twice; not copied
     * @param self this rank in the job
     */
    public Group(int[] members, int self) {
        this.members = members;
        this.self = self;
        this.rank = indexOf(members, self);
    }

    private static int indexOf(int[] members, int wanted) {
        for (int i = 0; i < members.length; i++) {
            if (members[i] == wanted) {
                return i;
            }
        }
        return UNDEFINED;
    }

    /** Number of ranks. */
    public int size() {
        return members.length;
    }

    /** This rank in the group, {@link #UNDEFINED} if it does not belong to it. */
    public int rank() {
        return rank;
    }

    /** Rank in the job of rank {@code index} of the group. */
    public int member(int index) {
        return members[index];
    }

    /** The ranks in the job, in the order of the group. */
    public int[] members() {
        return members.clone();
    }

    /** Rank in the group of a rank of the job, {@link #UNDEFINED} if it does not belong to it. */
    public int rankOf(int jobRank) {
        return indexOf(members, jobRank);
    }

    /**
     * For each rank of {@code from} its rank in {@code to}, {@link #UNDEFINED} where it has none; {@link #NULL_PROCESS}
     * stays what it is.
     */
    public static int[] transRanks(Group from, int[] ranks, Group to) {
        int[] inverse = to.inverse();
        int[] translated = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == NULL_PROCESS) {
                translated[i] = NULL_PROCESS;
                continue;
            }
            int jobRank = from.members[from.checked(ranks[i])];
            translated[i] = jobRank < inverse.length ? inverse[jobRank] : UNDEFINED;
        }
        return translated;
    }

    /** Rank in the group of every rank of the job up to the greatest member. */
    private int[] inverse() {
        int greatest = -1;
        for (int member : members) {
            greatest = Math.max(greatest, member);
        }
        int[] inverse = new int[greatest + 1];
        Arrays.fill(inverse, UNDEFINED);
        for (int i = 0; i < members.length; i++) {
            inverse[members[i]] = i;
        }
        return inverse;
    }

    /** {@link #IDENT}, {@link #SIMILAR} or {@link #UNEQUAL}. */
    public static int compare(Group first, Group second) {
        if (Arrays.equals(first.members, second.members)) {
            return IDENT;
        }
        return first.size() == second.size() && first.memberSet().equals(second.memberSet()) ? SIMILAR : UNEQUAL;
    }

    private BitSet memberSet() {
        BitSet set = new BitSet();
        for (int member : members) {
            set.set(member);
        }
        return set;
    }

    /** The members of {@code first}, then those of {@code second} that are not in it. */
    public static Group union(Group first, Group second) {
        int[] added = second.filtered(first.memberSet(), false);
        int[] union = Arrays.copyOf(first.members, first.size() + added.length);
        System.arraycopy(added, 0, union, first.size(), added.length);
        return new Group(union, first.self == UNDEFINED ? second.self : first.self); // nobody's group knows no rank
    }

    /** The members of {@code first} that are also in {@code second}, in the order of {@code first}. */
    public static Group intersection(Group first, Group second) {
        return new Group(first.filtered(second.memberSet(), true), first.self);
    }

    /** The members of {@code first} that are not in {@code second}, in the order of {@code first}. */
    public static Group difference(Group first, Group second) {
        return new Group(first.filtered(second.memberSet(), false), first.self);
    }

    private int[] filtered(BitSet set, boolean contained) {
        int[] kept = new int[members.length];
        int count = 0;
        for (int member : members) {
            if (set.get(member) == contained) {
                kept[count++] = member;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    /**
     * The group of the given ranks of this one, in the given order.
     *
     * @throws DeviceException if a rank does not exist or is given twice
     */
    public Group incl(int[] ranks) {
        checkDistinct(ranks);
        int[] included = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            included[i] = members[ranks[i]];
        }
        return new Group(included, self);
    }

    /**
     * This group without the given ranks.
     *
     * @throws DeviceException if a rank does not exist or is given twice
     */
    public Group excl(int[] ranks) {
        checkDistinct(ranks);
        BitSet excluded = new BitSet();
        for (int each : ranks) {
            excluded.set(members[each]);
        }
        return new Group(filtered(excluded, false), self);
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
        if (each < 0 || each >= members.length) {
            throw new DeviceException(
                    ErrorClass.RANK,
                    members.length == 0
                            ? "there is no rank " + each + " in an empty group"
                            : "there is no rank " + each + " in the group, its ranks are 0 to " + (members.length - 1));
        }
        return (int) each;
    }
}
