package mpjdev;

import org.galerna.device.RankList;

/** An ordered set of ranks of the job. Immutable; the operations are those of MPI 1.1 §5.3. */
public final class Group {
    /** Result of {@link #compare}: the same ranks in the same order. */
    public static final int IDENT = 0;

    /** Result of {@link #compare}: the same ranks in another order. */
    public static final int SIMILAR = 1;

    /** Result of {@link #compare}: different ranks. */
    public static final int UNEQUAL = 2;

    /** Result of comparing communicators: equal groups, different contexts. */
    public static final int CONGRUENT = 3;

    /** Rank of somebody who does not belong to the group. */
    public static final int UNDEFINED = -1;

    private final org.galerna.mpi.group.Group inside;

    /** A group of the engine. */
    public Group(org.galerna.mpi.group.Group inside) {
        this.inside = inside;
    }

    /**
     * A group.
     *
     * @param members the ranks in the job, none twice
     * @param self this rank in the job
     */
    public Group(int[] members, int self) {
        this(new org.galerna.mpi.group.Group(RankList.of(members), self));
    }

    /** What it is to the engine. */
    public org.galerna.mpi.group.Group inside() {
        return inside;
    }

    /** Number of ranks. */
    public int size() {
        return inside.size();
    }

    /** This rank in the group, {@link #UNDEFINED} if it does not belong to it. */
    public int rank() {
        return inside.rank();
    }

    /** Rank in the job of rank {@code index} of the group. */
    public int member(int index) {
        return inside.member(index);
    }

    /** The ranks in the job, in the order of the group. */
    public int[] members() {
        return inside.members().toArray();
    }

    /** Rank in the group of a rank of the job, {@link #UNDEFINED} if it does not belong to it. */
    public int rankOf(int jobRank) {
        return inside.rankOf(jobRank);
    }

    /**
     * For each rank of {@code from} its rank in {@code to}, {@link #UNDEFINED} where it has none; {@link mpi.MPI#PROC_NULL}
     * stays what it is.
     */
    public static int[] transRanks(Group from, int[] ranks, Group to) {
        return org.galerna.mpi.group.Group.transRanks(from.inside, ranks, to.inside);
    }

    /** {@link #IDENT}, {@link #SIMILAR} or {@link #UNEQUAL}. */
    public static int compare(Group first, Group second) {
        return org.galerna.mpi.group.Group.compare(first.inside, second.inside);
    }

    /** The members of {@code first}, then those of {@code second} that are not in it. */
    public static Group union(Group first, Group second) {
        return new Group(org.galerna.mpi.group.Group.union(first.inside, second.inside));
    }

    /** The members of {@code first} that are also in {@code second}, in the order of {@code first}. */
    public static Group intersection(Group first, Group second) {
        return new Group(org.galerna.mpi.group.Group.intersection(first.inside, second.inside));
    }

    /** The members of {@code first} that are not in {@code second}, in the order of {@code first}. */
    public static Group difference(Group first, Group second) {
        return new Group(org.galerna.mpi.group.Group.difference(first.inside, second.inside));
    }

    /**
     * The group of the given ranks of this one, in the given order.
     *
     * @throws org.galerna.device.DeviceException if a rank does not exist or is given twice
     */
    public Group incl(int[] ranks) {
        return new Group(inside.incl(ranks));
    }

    /**
     * This group without the given ranks.
     *
     * @throws org.galerna.device.DeviceException if a rank does not exist or is given twice
     */
    public Group excl(int[] ranks) {
        return new Group(inside.excl(ranks));
    }

    /** As {@link #incl}, with ranges of (first, last, stride). */
    public Group rangeIncl(int[][] ranges) {
        return new Group(inside.rangeIncl(ranges));
    }

    /** As {@link #excl}, with ranges of (first, last, stride). */
    public Group rangeExcl(int[][] ranges) {
        return new Group(inside.rangeExcl(ranges));
    }
}
