package mpi;

import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.Session;
import org.jspecify.annotations.Nullable;

/**
 * How communicators come to their ranks and contexts. A new communicator has the contexts that the rank that becomes its
 * rank 0 has reserved; the others learn of them from a collective operation of the parent.
 */
final class Creation {
    private static final int FIELDS = 3;

    private Creation() {}

    /** Ranks with the same color; null if this rank has none. */
    static mpjdev.@Nullable Comm split(Intracomm parent, int color, int key) {
        parent.checkUsable();
        if (color < 0 && color != Constants.UNDEFINED) {
            throw Errors.wrong(ErrorClass.ARG, "a color is not negative, or it is MPI.UNDEFINED");
        }
        Session session = parent.session;
        int reserved = session.reserveContexts();
        int[] all = new int[FIELDS * parent.size];
        parent.collectives().allgather(new int[] {color, key, reserved}, 0, (long) FIELDS * Integer.BYTES, all, 0);
        if (color == Constants.UNDEFINED) {
            session.returnContexts(reserved);
            return null;
        }
        int[] members = sortedMembers(all, color, parent.size);
        int leader = members[0];
        if (leader != parent.rank) {
            session.returnContexts(reserved);
        }
        return of(parent, all[FIELDS * leader + 2], members);
    }

    /** Parent ranks of a color, ordered by key and rank. */
    private static int[] sortedMembers(int[] all, int color, int ranks) {
        int[] members = new int[ranks];
        int count = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (all[FIELDS * rank] != color) {
                continue;
            }
            int key = all[FIELDS * rank + 1];
            int place = count++;
            while (place > 0 && all[FIELDS * members[place - 1] + 1] > key) {
                members[place] = members[place - 1];
                place--;
            }
            members[place] = rank;
        }
        return Arrays.copyOf(members, count);
    }

    /** The same ranks. */
    static mpjdev.Comm duplicate(Intracomm parent) {
        parent.checkUsable();
        mpjdev.Group group = parent.mpjdevComm.localgroup;
        return new mpjdev.Comm(agree(parent, 0), group, group);
    }

    /** The first {@code count} ranks; null on the others. */
    static mpjdev.@Nullable Comm first(Intracomm parent, int count) {
        int[] members = new int[count];
        for (int rank = 0; rank < count; rank++) {
            members[rank] = rank;
        }
        return count == 0 ? null : create(parent, parent.mpjdevComm.localgroup.incl(members));
    }

    /** The ranks of a group; null on those who do not belong to it. */
    static mpjdev.@Nullable Comm create(Intracomm parent, mpjdev.Group group) {
        parent.checkUsable();
        mpjdev.Group whole = parent.mpjdevComm.localgroup;
        if (mpjdev.Group.intersection(group, whole).size() != group.size()) {
            throw Errors.wrong(ErrorClass.GROUP, "the group has ranks that do not belong to the communicator");
        }
        if (group.size() == 0) {
            return null;
        }
        int context = agree(parent, whole.rankOf(group.member(0)));
        return group.rank() == Constants.UNDEFINED ? null : new mpjdev.Comm(context, group, group);
    }

    /** Contexts that one rank reserves and tells the others. */
    private static int agree(Intracomm parent, int leader) {
        int[] context = {parent.rank == leader ? parent.session.reserveContexts() : 0};
        parent.collectives().bcast(context, 0, Integer.BYTES, leader);
        return context[0];
    }

    private static mpjdev.Comm of(Intracomm parent, int context, int[] parentRanks) {
        mpjdev.Group group = parent.mpjdevComm.localgroup.incl(parentRanks);
        return new mpjdev.Comm(context, group, group);
    }
}
