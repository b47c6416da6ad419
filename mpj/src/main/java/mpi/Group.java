package mpi;

import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** An ordered set of ranks. Immutable; may be used by any thread, before and after a communicator of it exists. */
public class Group implements Freeable {
    /** {@link #code} of the group without ranks. */
    public static final int EMPTY = 3;

    private static final int NULL = -1;

    static final mpjdev.Group NOBODY = new mpjdev.Group(new int[0], Constants.UNDEFINED);

    /** {@link #EMPTY} for a group without ranks, otherwise 0. */
    public int code;

    /** The ranks of the job that belong to the group. */
    public mpjdev.Group mpjdevGroup;

    /** A group of ranks of the job. */
    public Group(mpjdev.Group group) {
        this.mpjdevGroup = group;
        this.code = group.size() == 0 ? EMPTY : 0;
    }

    /** Does nothing: a group holds nothing but memory. */
    @Override
    public void free() {}

    /** Number of ranks. */
    public int Size() throws MPIException {
        return usable("Group.Size").size();
    }

    /** This rank in the group, {@link MPI#UNDEFINED} if it does not belong to it. */
    public int Rank() throws MPIException {
        return usable("Group.Rank").rank();
    }

    /**
     * For each of {@code ranks1} of one group its rank in the other, {@link MPI#UNDEFINED} where it has none, and
     * {@link MPI#PROC_NULL} for that.
     */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return Errors.call(
                "Group.Translate_ranks",
                () -> mpjdev.Group.transRanks(inside(group1), required(ranks1), inside(group2)));
    }

    /**
     * Compares two groups: {@link MPI#IDENT} for the same ranks in the same order, {@link MPI#SIMILAR} for another
     * order, or else {@link MPI#UNEQUAL}.
     */
    public static int Compare(Group group1, Group group2) throws MPIException {
        return Errors.call("Group.Compare", () -> mpjdev.Group.compare(inside(group1), inside(group2)));
    }

    /** The ranks of the first group, then those of the second that are not in it. */
    public static Group Union(Group group1, Group group2) throws MPIException {
        return Errors.call("Group.Union", () -> new Group(mpjdev.Group.union(inside(group1), inside(group2))));
    }

    /** The ranks of the first group that are also in the second, in the order of the first. */
    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return Errors.call(
                "Group.Intersection", () -> new Group(mpjdev.Group.intersection(inside(group1), inside(group2))));
    }

    /** The ranks of the first group that are not in the second, in the order of the first. */
    public static Group Difference(Group group1, Group group2) throws MPIException {
        return Errors.call(
                "Group.Difference", () -> new Group(mpjdev.Group.difference(inside(group1), inside(group2))));
    }

    /** The given ranks of this group, in the given order. */
    public Group Incl(int[] ranks) throws MPIException {
        return Errors.call("Group.Incl", () -> new Group(inside(this).incl(required(ranks))));
    }

    /** This group without the given ranks. */
    public Group Excl(int[] ranks) throws MPIException {
        return Errors.call("Group.Excl", () -> new Group(inside(this).excl(required(ranks))));
    }

    /** As {@link #Incl}, with ranges {first, last, stride}. */
    public Group Range_incl(int[][] ranges) throws MPIException {
        return Errors.call("Group.Range_incl", () -> new Group(inside(this).rangeIncl(required(ranges))));
    }

    /** As {@link #Excl}, with ranges {first, last, stride}. */
    public Group Range_excl(int[][] ranges) throws MPIException {
        return Errors.call("Group.Range_excl", () -> new Group(inside(this).rangeExcl(required(ranges))));
    }

    /** Does nothing, and being empty costs nothing: the virtual machine registers no finalizer for an empty method. */
    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"})
    public void finalize() throws MPIException {}

    /** {@link MPI#GROUP_NULL}. */
    static Group none() {
        Group none = new Group(NOBODY);
        none.code = NULL;
        return none;
    }

    private mpjdev.Group usable(String call) {
        return Errors.call(call, () -> inside(this));
    }

    static mpjdev.Group inside(@Nullable Group group) {
        if (group == null || group.code == NULL) {
            throw Errors.wrong(ErrorClass.GROUP, "the group is null or MPI.GROUP_NULL");
        }
        return group.mpjdevGroup;
    }

    private static <T> T required(@Nullable T ranks) {
        if (ranks == null) {
            throw Errors.wrong(ErrorClass.ARG, "the array of ranks is null");
        }
        return ranks;
    }
}
