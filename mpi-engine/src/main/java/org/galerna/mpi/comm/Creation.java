package org.galerna.mpi.comm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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
 * before.
 */
public final class Creation {
    private static final int FIELDS = 3;

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
        int[] all = new int[FIELDS * parent.size()];
        parent.collectives().allgather(new int[] {color, key, proposal}, 0, (long) FIELDS * Integer.BYTES, all, 0);
        int[] members = color == Group.UNDEFINED ? new int[0] : sortedMembers(all, color, parent.size());
        int leader = members.length == 0 ? Group.UNDEFINED : members[0];
        if (leader != parent.rank()) {
            session.takeBack(proposal);
        }
        int[] agreed = agreeAll(parent, all, leader);
        return leader == Group.UNDEFINED ? null : of(parent, agreed[leader], members);
    }

    /**
     * Brings the proposals of those who lead a color to what its members agree to.
     *
     * @param all color, key and proposal of each rank
     * @param leader who leads the color of this rank, or {@link Group#UNDEFINED}
     * @return the contexts of each leader's color
     */
    private static int[] agreeAll(Communicator parent, int[] all, int leader) {
        int[] proposals = new int[parent.size()];
        for (int leading : leaders(all, parent.size()).values()) {
            proposals[leading] = all[FIELDS * leading + 2];
        }
        Session session = parent.session();
        for (int attempt = 1; Arrays.stream(proposals).anyMatch(proposal -> proposal < 0); attempt++) {
            if (Arrays.stream(proposals).anyMatch(proposal -> proposal == Session.NO_CONTEXTS)) {
                if (leader == parent.rank()) {
                    session.takeBack(proposals[parent.rank()]);
                }
                throw noneLeft();
            }
            // 1 if this rank has nothing against the proposal for its color
            int vote =
                    leader == Group.UNDEFINED || proposals[leader] >= 0 || session.areFree(~proposals[leader]) ? 1 : 0;
            int[] votes = new int[parent.size()];
            parent.collectives().allgather(new int[] {vote}, 0, Integer.BYTES, votes, 0);
            int next = proposals[parent.rank()];
            if (next < 0) {
                if (agreed(all, votes, parent.rank())) {
                    next = ~next;
                } else {
                    session.takeBack(next);
                    next = session.proposeContexts(attempt);
                }
            }
            parent.collectives().allgather(new int[] {next}, 0, Integer.BYTES, proposals, 0);
        }
        return proposals;
    }

    private static boolean agreed(int[] all, int[] votes, int leader) {
        for (int rank = 0; rank < votes.length; rank++) {
            if (all[FIELDS * rank] == all[FIELDS * leader] && votes[rank] == 0) {
                return false;
            }
        }
        return true;
    }

    /** What is thrown where no rank has contexts to propose. */
    static DeviceException noneLeft() {
        return new DeviceException(
                ErrorClass.OTHER,
                "there are no more numbers for a new communicator; free those that are not needed any more, on all of"
                        + " their ranks");
    }

    /** For each color the rank with the least key, and of those the least rank. */
    private static Map<Integer, Integer> leaders(int[] all, int ranks) {
        Map<Integer, Integer> leaders = new HashMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            if (all[FIELDS * rank] != Group.UNDEFINED) {
                leaders.merge(
                        all[FIELDS * rank],
                        rank,
                        (former, later) -> key(all, later) < key(all, former) ? later : former);
            }
        }
        return leaders;
    }

    private static int key(int[] all, int rank) {
        return all[FIELDS * rank + 1];
    }

    /** Parent ranks of a color, ordered by key and rank. */
    private static int[] sortedMembers(int[] all, int color, int ranks) {
        return IntStream.range(0, ranks)
                .filter(rank -> all[FIELDS * rank] == color)
                .mapToLong(rank -> (long) key(all, rank) << 32 | rank)
                .sorted()
                .mapToInt(keyAndRank -> (int) keyAndRank)
                .toArray();
    }

    /** The same ranks. */
    public static Communicator duplicate(Communicator parent) {
        parent.checkUsable();
        Group group = parent.local();
        return Communicator.within(parent.session(), agree(parent, 0), group);
    }

    /** The first {@code count} ranks; null on the others. */
    public static @Nullable Communicator first(Communicator parent, int count) {
        int[] members = new int[count];
        for (int rank = 0; rank < count; rank++) {
            members[rank] = rank;
        }
        return count == 0 ? null : create(parent, parent.local().incl(members));
    }

    /** The ranks of a group; null on those who do not belong to it. */
    public static @Nullable Communicator create(Communicator parent, Group group) {
        parent.checkUsable();
        Group whole = parent.local();
        if (Group.intersection(group, whole).size() != group.size()) {
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
        parent.collectives().allreduce(null, 0, vote, 0, 1, PrimitiveReductions.of(Operator.MIN, int[].class));
        return vote[0] == 1;
    }

    private static Communicator of(Communicator parent, int context, int[] parentRanks) {
        Group group = parent.local().incl(parentRanks);
        return Communicator.within(parent.session(), context, group);
    }
}
