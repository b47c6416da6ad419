package org.galerna.mpi.comm;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * How groups come to a communicator between them. Each has a leader; the leaders tell each other what their groups are, and
 * everybody learns of it from the leader of the own group.
 *
 * @param local communicator of the own group, for agreeing within it
 * @param between communicator whose messages go to and come from the other group
 */
public record Intercommunicator(Communicator local, Communicator between) {
    // what the leaders tell each other
    private static final int LEADER = 0;
    private static final int SIZE = 1;
    private static final int HIGH = 2;
    private static final int FIELDS = 3;

    /** In the place of the size: the leader has failed. */
    private static final int FAILED = -1;

    /** The own group comes first: those who send in these contexts are the others. */
    private static Intercommunicator of(Session session, int contexts, Group own, Group others) {
        Communicator local = Communicator.within(session, contexts, own);
        return new Intercommunicator(local, new Communicator(session, contexts, own, others));
    }

    /**
     * Connects two groups.
     *
     * @param peer communicator in which the leaders can reach each other; used on them only
     * @param members communicator of the own group
     */
    public static Intercommunicator create(
            Communicator peer, Communicator members, int localLeader, int remoteLeader, int tag) {
        members.checkUsable();
        if (localLeader < 0 || localLeader >= members.size()) {
            throw new DeviceException(
                    ErrorClass.RANK,
                    "there is no rank " + localLeader + " in the local communicator of " + members.size());
        }
        Session session = members.session();
        Group own = members.local();
        int[] remote = new int[FIELDS];
        int[] others = {};
        Leader leader = null;
        if (members.rank() == localLeader) {
            try {
                peer.checkUsable();
                session.checkSendTag(tag);
                leader = Leader.of(peer, remoteLeader, tag);
                leader.exchange(introduction(session, own, false), remote);
                others = new int[remote[SIZE]];
                leader.exchange(own.members().toArray(), others);
            } catch (RuntimeException failure) {
                remote[SIZE] = FAILED;
                share(members, remote, localLeader);
                throw failure;
            }
        }
        share(members, remote, localLeader);
        if (remote[SIZE] == FAILED) {
            throw new DeviceException(
                    ErrorClass.COMM,
                    "the leader of the group, rank " + localLeader + ", did not reach that of the other group");
        }
        if (members.rank() != localLeader) {
            others = new int[remote[SIZE]];
        }
        share(members, others, localLeader);
        Group reached = new Group(RankList.of(others), session.wireup().rank());
        if (Group.intersection(own, reached).size() > 0) {
            throw new DeviceException(
                    ErrorClass.COMM, "the groups of an intercommunicator must not have a rank in common");
        }
        return of(session, agree(members, localLeader, leader, remote[LEADER]), own, reached);
    }

    private static void share(Communicator members, int[] numbers, int localLeader) {
        members.collectives().bcast(numbers, 0, (long) numbers.length * Integer.BYTES, localLeader);
    }

    private static int[] introduction(Session session, Group own, boolean high) {
        return new int[] {session.wireup().rank(), own.size(), high ? 1 : 0};
    }

    /**
     * Contexts that all ranks of both groups agree to; the leader with the lower rank in the job proposes them.
     *
     * @param leader the other group's, on the own leader; null on the others
     */
    private static int agree(Communicator members, int localLeader, @Nullable Leader leader, int remoteLeader) {
        Session session = members.session();
        boolean proposes = leader != null && session.wireup().rank() < remoteLeader;
        for (int attempt = 0; ; attempt++) {
            int[] proposal = {proposes ? session.proposeContexts(attempt) : 0};
            try {
                if (leader != null) {
                    leader.share(proposal, proposes);
                }
            } catch (RuntimeException failure) {
                proposal[0] = Session.NO_CONTEXTS; // so that the others do not wait
                share(members, proposal, localLeader);
                throw failure;
            }
            share(members, proposal, localLeader);
            if (proposal[0] >= 0) {
                return proposal[0];
            }
            if (proposal[0] == Session.NO_CONTEXTS) {
                throw Creation.noneLeft();
            }
            int[] vote = {Creation.allAgree(members, ~proposal[0]) ? 1 : 0};
            if (leader != null) {
                int[] other = new int[1];
                leader.exchange(vote, other);
                vote[0] &= other[0];
            }
            share(members, vote, localLeader);
            if (vote[0] == 1) {
                return ~proposal[0];
            }
            if (proposes) {
                session.takeBack(proposal[0]);
            }
        }
    }

    /** The leader of the other group. */
    private record Leader(Device device, int jobRank, int tag, int context) {
        /** The rank of a communicator that is the leader of the other group. */
        static Leader of(Communicator comm, int rank, int tag) {
            RankList peers = comm.peers();
            if (rank < 0 || rank >= peers.size()) {
                throw new DeviceException(
                        ErrorClass.RANK,
                        "there is no rank " + rank + " that leads the other group; valid are 0 to "
                                + (peers.size() - 1));
            }
            return new Leader(comm.device(), peers.get(rank), tag, comm.contexts() + Session.COLLECTIVES_OF_PROGRAMS);
        }

        void exchange(int[] outgoing, int[] incoming) {
            Request receive = device.irecv(incoming, 0, (long) incoming.length * Integer.BYTES, jobRank, tag, context);
            device.send(outgoing, 0, (long) outgoing.length * Integer.BYTES, jobRank, tag, context);
            receive.await();
            receive.release();
        }

        /** Gives a number to the other one, or gets it. */
        void share(int[] number, boolean gives) {
            int[] other = new int[1];
            exchange(number, other);
            if (!gives) {
                number[0] = other[0];
            }
        }
    }

    /** What the other group says of itself, and contexts that all agree to. */
    private record Answer(boolean high, int contexts) {}

    /** Rank 0 of each group exchanges introductions with that of the other; all ranks get the answer. */
    private Answer introduce(boolean high) {
        between.checkUsable();
        Session session = between.session();
        int[] remote = new int[FIELDS];
        Leader leader = between.rank() == 0 ? Leader.of(between, 0, 0) : null;
        if (leader != null) {
            leader.exchange(introduction(session, between.local(), high), remote);
        }
        share(local, remote, 0);
        return new Answer(remote[HIGH] == 1, agree(local, 0, leader, remote[LEADER]));
    }

    /**
     * A communicator of both groups; all ranks of both ask for it.
     *
     * @param high the group that says true comes last; where both say the same, the one whose rank 0 has the lower rank
     *     in the job comes first
     */
    public Communicator merge(boolean high) {
        Answer answer = introduce(high);
        Group own = between.local();
        Group others = between.remote();
        boolean ownFirst = high == answer.high() ? own.member(0) < others.member(0) : answer.high();
        Group all = ownFirst ? Group.union(own, others) : Group.union(others, own);
        return Communicator.within(between.session(), answer.contexts(), all);
    }

    /** The same groups; all ranks of both ask for it. */
    public Intercommunicator duplicate() {
        return of(between.session(), introduce(false).contexts(), between.local(), between.remote());
    }
}
