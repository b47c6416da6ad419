package mpi;

import org.galerna.device.Device;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.Session;
import org.jspecify.annotations.Nullable;

/**
 * A communicator between two groups: messages go to and come from ranks of the other group; {@link #Size} and
 * {@link #Rank} are those of the own group.
 */
public class Intercomm extends Comm {
    /** What the leaders tell each other; both sides take the contexts of the leader with the lower rank in the job. */
    private static final int CONTEXT = 0;

    private static final int LEADER = 1;
    private static final int SIZE = 2;
    private static final int HIGH = 3;
    private static final int FIELDS = 4;

    /** In the place of the size: the leader has failed. */
    private static final int FAILED = -1;

    /** The own group, for agreeing within it. */
    private final Intracomm local;

    private Intercomm(Session session, mpjdev.Comm mpjdevComm) {
        super(session, mpjdevComm);
        mpjdev.Group own = mpjdevComm.localgroup;
        this.local = new Intracomm(session, new mpjdev.Comm(mpjdevComm.sendctxt, own, own));
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
        mpjdev.Group own = members.mpjdevComm.localgroup;
        int[] remote = new int[FIELDS];
        int[] others = {};
        if (members.rank == localLeader) {
            try {
                peer.checkSend(remote, 0, 0, MPI.INT, remoteLeader, tag);
                int[] mine = introduction(session, own, false);
                Leader leader = new Leader(session.device(), peer.jobRank(remoteLeader), tag, peer.context(false));
                leader.exchange(mine, remote);
                others = new int[remote[SIZE]];
                leader.exchange(own.members(), others);
                agreeOnContext(mine, remote);
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
        mpjdev.Group reached = new mpjdev.Group(others, session.wireup().rank());
        if (mpjdev.Group.intersection(own, reached).size() > 0) {
            throw Errors.wrong(ErrorClass.COMM, "the groups of an intercommunicator must not have a rank in common");
        }
        return new Intercomm(session, new mpjdev.Comm(remote[CONTEXT], own, reached));
    }

    private static int[] introduction(Session session, mpjdev.Group own, boolean high) {
        return new int[] {session.reserveContexts(), session.wireup().rank(), own.size(), high ? 1 : 0};
    }

    private static void agreeOnContext(int[] mine, int[] remote) {
        if (mine[LEADER] < remote[LEADER]) {
            remote[CONTEXT] = mine[CONTEXT];
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
    }

    /** Rank 0 of each group exchanges introductions with that of the other; all ranks get the answer. */
    private int[] introduce(boolean high) {
        local.checkUsable();
        int[] remote = new int[FIELDS];
        int[] mine = new int[FIELDS];
        if (rank == 0) {
            mine = introduction(session, mpjdevComm.localgroup, high);
            new Leader(device, mpjdevComm.group.member(0), 0, context(false)).exchange(mine, remote);
            agreeOnContext(mine, remote);
        }
        local.collectives().bcast(remote, 0, (long) FIELDS * Integer.BYTES, 0);
        return remote;
    }

    /** Number of ranks in the other group. */
    public int Remote_size() throws MPIException {
        requireUsable("Intercomm.Remote_size");
        return peerCount();
    }

    /** The other group. */
    public Group Remote_group() throws MPIException {
        requireUsable("Intercomm.Remote_group");
        return new Group(mpjdevComm.group);
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
            int[] remote = introduce(high);
            boolean remoteHigh = remote[HIGH] == 1;
            boolean ownFirst =
                    high == remoteHigh ? mpjdevComm.localgroup.member(0) < mpjdevComm.group.member(0) : remoteHigh;
            mpjdev.Group first = ownFirst ? mpjdevComm.localgroup : mpjdevComm.group;
            mpjdev.Group last = ownFirst ? mpjdevComm.group : mpjdevComm.localgroup;
            mpjdev.Group all = mpjdev.Group.union(first, last);
            Intracomm merged = new Intracomm(session, new mpjdev.Comm(remote[CONTEXT], all, all));
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
            int[] remote = introduce(false);
            return duplicated(
                    new Intercomm(session, new mpjdev.Comm(remote[CONTEXT], mpjdevComm.localgroup, mpjdevComm.group)));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Intercomm.clone on rank " + describeSelf(), failure);
        }
    }

    /** The communicator of a group that a program gives as a {@link Comm}. */
    static Intracomm intracomm(@Nullable Comm comm) {
        if (comm instanceof Intracomm within) {
            return within;
        }
        throw Errors.wrong(ErrorClass.COMM, "the local communicator must be one within a group");
    }
}
