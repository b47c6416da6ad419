package org.galerna.mpi.comm;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * How communicators come to their ranks and contexts. A new communicator has the contexts that the rank that becomes its
 * rank 0 proposes; the others learn of them from a collective operation of the parent, and agree if they have been used
 * before. All of it takes steps by the logarithm of the number of ranks between processes. What a Split is told by all ranks
 * is in one table, which the ranks of one heap share.
 */
public final class Creation {
    private Creation() {}

    /** Ranks with the same color; null if this rank has none. */
    public static @Nullable Communicator split(Communicator parent, int color, int key) {
        parent.checkUsable();
        if (color < 0 && color != Group.UNDEFINED) {
            throw new DeviceException(
                    ErrorClass.ARG, "a color is not negative, or it is " + parent.nameOf(Face.Word.UNDEFINED));
        }
        Session session = parent.session();
        int proposal = session.proposeContexts(0);
        SplitTable table = SplitTable.gather(parent, color, key, proposal);
        SplitTable.Part part = color == Group.UNDEFINED ? null : table.part(color);
        if (part == null || part.leader() != parent.rank()) {
            session.takeBack(proposal);
        }
        int contexts = agreeAll(parent, table, part);
        return part == null
                ? null
                : Communicator.within(
                        session,
                        contexts,
                        new Group(part.members(), session.wireup().rank()));
    }

    /**
     * Brings the proposals of those who lead a color to what its members agree to.
     *
     * @param part the color of this rank; null if it has none
     * @return the contexts of the part
     */
    private static int agreeAll(Communicator parent, SplitTable table, SplitTable.@Nullable Part part) {
        int contexts = part == null ? 0 : part.proposal();
        boolean leads = part != null && part.leader() == parent.rank();
        Session session = parent.session();
        int[] leaders = table.undecided();
        int[] proposals = table.proposals(leaders);
        for (int attempt = 1; leaders.length > 0; attempt++) {
            if (Arrays.stream(proposals).anyMatch(proposal -> proposal == Session.NO_CONTEXTS)) {
                if (leads) {
                    session.takeBack(contexts);
                }
                throw noneLeft();
            }
            int own = part == null ? -1 : Arrays.binarySearch(leaders, part.leader());
            int[] votes = new int[leaders.length]; // for each proposal 1, if nobody has anything against it
            Arrays.fill(votes, 1);
            if (own >= 0) {
                votes[own] = session.areFree(~contexts) ? 1 : 0;
            }
            combine(parent, Operator.MIN, votes);
            Arrays.fill(proposals, Session.NO_CONTEXTS); // the least number
            if (own >= 0 && leads) {
                if (votes[own] == 1) {
                    proposals[own] = ~contexts;
                } else {
                    session.takeBack(contexts);
                    proposals[own] = session.proposeContexts(attempt);
                }
            }
            combine(parent, Operator.MAX, proposals);
            if (own >= 0) {
                contexts = proposals[own];
            }
            int[] left = proposals;
            int[] open = IntStream.range(0, left.length)
                    .filter(each -> left[each] < 0)
                    .toArray();
            leaders = at(leaders, open);
            proposals = at(left, open);
        }
        return contexts;
    }

    private static int[] at(int[] values, int[] places) {
        return Arrays.stream(places).map(place -> values[place]).toArray();
    }

    private static void combine(Communicator parent, Operator operator, int[] values) {
        parent.collectives()
                .allreduce(null, 0, values, 0, values.length, PrimitiveReductions.of(operator, int[].class));
    }

    /** What is thrown where no rank has contexts to propose. */
    static DeviceException noneLeft() {
        return new DeviceException(
                ErrorClass.OTHER,
                "there are no more numbers for a new communicator; free those that are not needed any more, on all of"
                        + " their ranks");
    }

    /** The same ranks. */
    public static Communicator duplicate(Communicator parent) {
        parent.checkUsable();
        Group group = parent.local();
        return Communicator.within(parent.session(), agree(parent, 0), group);
    }

    /** The first {@code count} ranks; null on the others. */
    public static @Nullable Communicator first(Communicator parent, int count) {
        return count == 0 ? null : create(parent, parent.local().first(count));
    }

    /** The ranks of a group; null on those who do not belong to it. */
    public static @Nullable Communicator create(Communicator parent, Group group) {
        parent.checkUsable();
        Group whole = parent.local();
        if (!whole.containsAll(group)) {
            throw new DeviceException(ErrorClass.GROUP, "the group has ranks that do not belong to the communicator");
        }
        if (group.size() == 0) {
            return null;
        }
        int context = agree(parent, whole.rankOf(group.member(0)));
        return group.rank() == Group.UNDEFINED ? null : Communicator.within(parent.session(), context, group);
    }

    /** Contexts that one rank proposes and all agree to. */
    private static int agree(Communicator parent, int leader) {
        Session session = parent.session();
        for (int attempt = 0; ; attempt++) {
            int[] proposal = {parent.rank() == leader ? session.proposeContexts(attempt) : 0};
            parent.collectives().bcast(proposal, 0, Integer.BYTES, leader);
            if (proposal[0] >= 0) {
                return proposal[0];
            }
            if (proposal[0] == Session.NO_CONTEXTS) {
                throw noneLeft();
            }
            if (allAgree(parent, ~proposal[0])) {
                return ~proposal[0];
            }
            if (parent.rank() == leader) {
                session.takeBack(proposal[0]);
            }
        }
    }

    /** Whether no rank of a communicator uses contexts any more; all ask together. */
    static boolean allAgree(Communicator parent, int contexts) {
        int[] vote = {parent.session().areFree(contexts) ? 1 : 0};
        combine(parent, Operator.MIN, vote);
        return vote[0] == 1;
    }
}
