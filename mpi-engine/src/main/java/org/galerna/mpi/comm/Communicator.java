package org.galerna.mpi.comm;

import org.galerna.collectives.Collectives;
import org.galerna.collectives.NonblockingCollectives;
import org.galerna.collectives.team.Team;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks whose messages meet no others: who belongs to it, and its contexts. Any thread of the rank may use it;
 * one at a time may be in a collective operation.
 */
public final class Communicator {
    private final Session session;
    private final Device device;
    private final int contexts;
    private final Group local;
    private final Group remote;
    private final int rank;
    private final int size;

    /** Rank in the job of each rank that messages can go to; empty once the communicator is unusable. */
    private RankList peers;

    private volatile @Nullable String unusable;
    private @Nullable Face face;
    private @Nullable Collectives collectives;
    private @Nullable NonblockingCollectives nonblockingCollectives;

    /** A communicator that cannot be used, for the reason given. */
    @SuppressWarnings("NullAway") // every call asks for the reason before it comes to the session
    private Communicator(String unusable) {
        this.unusable = unusable;
        this.session = null;
        this.device = null;
        this.contexts = 0;
        this.local = new Group(RankList.EMPTY, Group.UNDEFINED);
        this.remote = local;
        this.rank = Group.UNDEFINED;
        this.size = 0;
        this.peers = RankList.EMPTY;
    }

    /**
     * A communicator that uses its contexts from now on.
     *
     * @param contexts the first of them
     * @param local the ranks that this one belongs to
     * @param remote the ranks that messages go to and come from: the same, or those of the other group
     */
    public Communicator(Session session, int contexts, Group local, Group remote) {
        this.session = session;
        this.device = session.device();
        this.contexts = contexts;
        this.local = local;
        this.remote = remote;
        this.rank = local.rank();
        this.size = local.size();
        this.peers = remote.members();
        session.useContexts(contexts, peers);
    }

    /** A communicator that cannot be used, for the reason given. */
    public static Communicator unusable(String reason) {
        return new Communicator(reason);
    }

    /** All ranks of the job. */
    public static Communicator world(Session session) {
        return within(
                session,
                Session.WORLD_CONTEXTS,
                new Group(
                        RankList.range(0, session.wireup().size()),
                        session.wireup().rank()));
    }

    /** This rank alone. */
    public static Communicator self(Session session) {
        int rank = session.wireup().rank();
        return within(session, Session.SELF_CONTEXTS, new Group(RankList.of(rank), rank));
    }

    /** A communicator within a group. */
    public static Communicator within(Session session, int contexts, Group group) {
        return new Communicator(session, contexts, group, group);
    }

    /** Says how failures reach the program; once, before anything else. */
    public void face(Face ofProgram) {
        this.face = ofProgram;
    }

    // ---- what it is

    /** The rank in its job. */
    public Session session() {
        return session;
    }

    /** What carries the messages. */
    public Device device() {
        return device;
    }

    /** The first of its contexts. */
    public int contexts() {
        return contexts;
    }

    /** The ranks that this one belongs to. */
    public Group local() {
        return local;
    }

    /** The ranks that messages go to and come from. */
    public Group remote() {
        return remote;
    }

    /** Number of ranks in the local group. */
    public int size() {
        return size;
    }

    /** This rank in the local group. */
    public int rank() {
        return rank;
    }

    /** Ranks in the job of those that messages can go to. None if it is unusable. */
    public RankList peers() {
        return peers;
    }

    /** Rank in the job of one of them. */
    public int peer(int index) {
        return peers.get(index);
    }

    /** Rank among the peers of a rank of the job, or {@link Group#UNDEFINED}. */
    public int rankOf(int jobRank) {
        return remote.rankOf(jobRank);
    }

    /** Context of the second parts of messages of objects. */
    public int restContext() {
        return contexts + Session.SECOND_PARTS;
    }

    /** Which rank this is, and of how many. */
    public String describeSelf() {
        return rank < 0 ? "unknown" : rank + " of " + size;
    }

    /** A call, and the rank that makes it. */
    public String describe(String call) {
        return call + " on rank " + describeSelf();
    }

    // ---- its end

    /** Why it cannot be used; null if it can. */
    public @Nullable String unusable() {
        return unusable;
    }

    /** Throws why it cannot be used, if so. */
    public void checkUsable() {
        if (unusable != null) {
            throw notUsable();
        }
    }

    /** Why a call on it fails. */
    public DeviceException notUsable() {
        String reason = unusable;
        return new DeviceException(ErrorClass.COMM, reason == null ? "the communicator is not of that kind" : reason);
    }

    /** Nothing can be done with it from now on. Communication under way goes on. */
    public void invalidate(String reason) {
        unusable = reason;
        peers = RankList.EMPTY;
    }

    /**
     * Gives it and its contexts up.
     *
     * @throws DeviceException if it is one that every rank has
     */
    public void free() {
        checkUsable();
        if (contexts <= Session.SELF_CONTEXTS) {
            throw new DeviceException(ErrorClass.COMM, "a predefined communicator cannot be freed");
        }
        invalidate("the communicator has been freed");
        session.freeContexts(contexts);
    }

    // ---- its collective operations; made when they are used for the first time, since many communicators never are

    /** The collective operations; for a communicator within a group. */
    public Collectives collectives() {
        Collectives present = collectives;
        if (present == null) {
            checkUsable();
            Team team = new Team(device, local.members(), contexts + Session.COLLECTIVES);
            present = new Collectives(team, session.collectiveOptions());
            collectives = present;
        }
        return present;
    }

    /** The collective operations that do not block, likewise. */
    public NonblockingCollectives nonblockingCollectives() {
        NonblockingCollectives present = nonblockingCollectives;
        if (present == null) {
            present = new NonblockingCollectives(collectives().team(), session.collectiveOptions());
            nonblockingCollectives = present;
        }
        return present;
    }

    // ---- what its face does

    /** What the program sees of a failure. */
    public RuntimeException failed(String call, RuntimeException failure) {
        Face present = face;
        return present == null ? failure : present.failed(call, failure);
    }

    /** What programs write for something that errors name. */
    public String nameOf(Face.Word word) {
        Face present = face;
        return present == null ? word.name() : present.nameOf(word);
    }

    /** What stands behind a buffer of the program. */
    public Object memoryOf(Object buffer, @Nullable Datatype type) {
        Face present = face;
        return present == null ? buffer : present.memoryOf(buffer, type);
    }
}
