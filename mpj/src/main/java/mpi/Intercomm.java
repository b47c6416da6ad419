package mpi;

import org.galerna.device.Device;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * A communicator between two groups: messages go to and come from ranks of the other group; {@link #Size} and
 * {@link #Rank} are those of the own group.
 */
public class Intercomm extends Comm {
    /** What the leaders tell each other. */
    private static final int LEADER = 0;

    private static final int SIZE = 1;
    private static final int HIGH = 2;
    private static final int FIELDS = 3;

    /** In the place of the size: the leader has failed. */
    private static final int FAILED = -1;

    /** The own group, for agreeing within it. */
    private final Intracomm local;

    private Intercomm(Environment environment, Intracomm local, Communicator inside) {
        super(environment, inside);
        this.local = local;
    }

    /** The own group comes first: those who send in these contexts are the others. */
    private static Intercomm between(
            Environment environment,
            int contexts,
            org.galerna.mpi.group.Group own,
            org.galerna.mpi.group.Group others) {
        Session session = environment.session();
        Intracomm local = new Intracomm(environment, Communicator.within(session, contexts, own));
        return new Intercomm(environment, local, new Communicator(session, contexts, own, others));
    }

    /**
     * Connects two groups.
     *
     * @param peer communicator in which the leaders can reach each other; used on them only
     * @param members communicator of the own group
     */
    static Intercomm create(Comm peer, Intracomm members, int localLeader, int remoteLeader, int tag) {
        members.checkUsable();
        if (localLeader < 0 || localLeader >= members.size) {
            throw Errors.wrong(
                    ErrorClass.RANK,
                    "there is no rank " + localLeader + " in the local communicator of " + members.size);
        }
        Session session = members.session;
        org.galerna.mpi.group.Group own = members.inside.local();
        int[] remote = new int[FIELDS];
        int[] others = {};
        Leader leader = null;
        if (members.rank == localLeader) {
            try {
                peer.checkSend(remote, 0, 0, Constants.INT, remoteLeader, tag);
                int[] mine = introduction(session, own, false);
                leader = new Leader(session.device(), peer.jobRank(remoteLeader), tag, peer.context(false));
                leader.exchange(mine, remote);
                others = new int[remote[SIZE]];
                leader.exchange(own.members(), others);
            } catch (RuntimeException failure) {
                remote[SIZE] = FAILED;
                members.collectives().bcast(remote, 0, (long) FIELDS * Integer.BYTES, localLeader);
                throw failure;
            }
        }
        members.collectives().bcast(remote, 0, (long) FIELDS * Integer.BYTES, localLeader);
        if (remote[SIZE] == FAILED) {
            throw Errors.wrong(
                    ErrorClass.COMM,
                    "the leader of the group, rank " + localLeader + ", did not reach that of the other group");
        }
        if (members.rank != localLeader) {
            others = new int[remote[SIZE]];
        }
        members.collectives().bcast(others, 0, (long) others.length * Integer.BYTES, localLeader);
        org.galerna.mpi.group.Group reached =
                new org.galerna.mpi.group.Group(others, session.wireup().rank());
        if (org.galerna.mpi.group.Group.intersection(own, reached).size() > 0) {
            throw Errors.wrong(ErrorClass.COMM, "the groups of an intercommunicator must not have a rank in common");
        }
        int context = agree(members, localLeader, leader, remote[LEADER]);
        Intercomm created = between(members.environment(), context, own, reached);
        created.inheritFrom(members);
        return created;
    }

    private static int[] introduction(Session session, org.galerna.mpi.group.Group own, boolean high) {
        return new int[] {session.wireup().rank(), own.size(), high ? 1 : 0};
    }

    /**
     * Contexts that all ranks of both groups agree to; the leader with the lower rank in the job proposes them.
     *
     * @param leader the other group's, on the own leader; null on the others
     */
    private static int agree(Intracomm members, int localLeader, @Nullable Leader leader, int remoteLeader) {
        Session session = members.session;
        boolean proposes = leader != null && session.wireup().rank() < remoteLeader;
        for (int attempt = 0; ; attempt++) {
            int[] proposal = {proposes ? session.proposeContexts(attempt) : 0};
            try {
                if (leader != null) {
                    leader.share(proposal, proposes);
                }
            } catch (RuntimeException failure) {
                proposal[0] = Session.NO_CONTEXTS; // so that the others do not wait
                members.collectives().bcast(proposal, 0, Integer.BYTES, localLeader);
                throw failure;
            }
            members.collectives().bcast(proposal, 0, Integer.BYTES, localLeader);
            if (proposal[0] >= 0) {
                return proposal[0];
            }
            if (proposal[0] == Session.NO_CONTEXTS) {
                throw Creation.noneLeft();
            }
            int[] vote = {Creation.allAgree(members.inside, ~proposal[0]) ? 1 : 0};
            if (leader != null) {
                int[] other = new int[1];
                leader.exchange(vote, other);
                vote[0] &= other[0];
            }
            members.collectives().bcast(vote, 0, Integer.BYTES, localLeader);
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
        void exchange(int[] outgoing, int[] incoming) {
            org.galerna.device.Request receive =
                    device.irecv(incoming, 0, (long) incoming.length * Integer.BYTES, jobRank, tag, context);
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
    private record Answer(boolean high, int context) {}

    /** Rank 0 of each group exchanges introductions with that of the other; all ranks get the answer. */
    private Answer introduce(boolean high) {
        local.checkUsable();
        int[] remote = new int[FIELDS];
        Leader leader = rank == 0 ? new Leader(device, inside.remote().member(0), 0, context(false)) : null;
        if (leader != null) {
            leader.exchange(introduction(session, inside.local(), high), remote);
        }
        local.collectives().bcast(remote, 0, (long) FIELDS * Integer.BYTES, 0);
        return new Answer(remote[HIGH] == 1, agree(local, 0, leader, remote[LEADER]));
    }

    /** Number of ranks in the other group. */
    public int Remote_size() throws MPIException {
        requireUsable("Intercomm.Remote_size");
        return peerCount();
    }

    /** The other group. */
    public Group Remote_group() throws MPIException {
        requireUsable("Intercomm.Remote_group");
        return new Group(new mpjdev.Group(inside.remote()));
    }

    @Override
    public boolean Test_inter() throws MPIException {
        requireUsable("Comm.Test_inter");
        return true;
    }

    /**
     * A communicator of both groups; all ranks of both have to call it.
     *
     * @param high the group that says true comes last; where both say the same, the one whose rank 0 has the lower rank
     *     in the job comes first
     */
    public Intracomm Merge(boolean high) throws MPIException {
        try {
            checkUsable();
            Answer remote = introduce(high);
            boolean remoteHigh = remote.high();
            boolean ownFirst = high == remoteHigh
                    ? inside.local().member(0) < inside.remote().member(0)
                    : remoteHigh;
            org.galerna.mpi.group.Group first = ownFirst ? inside.local() : inside.remote();
            org.galerna.mpi.group.Group last = ownFirst ? inside.remote() : inside.local();
            org.galerna.mpi.group.Group all = org.galerna.mpi.group.Group.union(first, last);
            Intracomm merged = new Intracomm(environment(), Communicator.within(session, remote.context(), all));
            merged.inheritFrom(this);
            return merged;
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Intercomm.Merge on rank " + describeSelf(), failure);
        }
    }

    @Override
    public Object clone() throws MPIException {
        try {
            checkUsable();
            Answer remote = introduce(false);
            return duplicated(between(environment(), remote.context(), inside.local(), inside.remote()));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Intercomm.clone on rank " + describeSelf(), failure);
        }
    }

    /** The communicator of a group that a program gives as a {@link Comm}. */
    static Intracomm intracomm(@Nullable Comm comm) {
        if (comm != null && comm.here() instanceof Intracomm within) {
            return within;
        }
        throw Errors.wrong(ErrorClass.COMM, "the local communicator must be one within a group");
    }
}
