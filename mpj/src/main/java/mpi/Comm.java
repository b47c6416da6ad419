package mpi;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.object.PackedData;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * A communicator: a group of ranks whose messages meet no others. Buffers are arrays of the type that the datatype
 * needs; {@code offset} counts elements of the array, {@code count} items of the datatype. Any thread of the rank may
 * communicate at any time.
 *
 * <p>Messages between two ranks may also lie in {@link Memory}, in a {@link MemorySegment}, or in a buffer of
 * {@code java.nio}, direct or not, in native order: a {@code ByteBuffer} for each datatype but booleans and objects, an
 * {@code IntBuffer} for {@code int} and so on. The offset counts elements from the beginning; position and mark of a
 * buffer mean nothing here and stay as they are, its limit is where it ends.
 *
 * <p>Every method throws {@link MPIException} if an argument is wrong, if the communicator has been freed, before
 * {@link MPI#Init} and after {@link MPI#Finalize}, and if the peer is gone. Blocking methods allocate nothing for
 * messages of the basic types below the device's eager limit.
 */
public class Comm {
    private static final int[] NOBODY = {};

    /** The local group. */
    public Group group;

    /** Ranks and contexts as the device knows them. */
    public mpjdev.Comm mpjdevComm;

    /** The rank that this belongs to; null if it cannot be used. */
    final @Nullable Environment environment;

    /** What it is to the engine. */
    final Communicator inside;

    // what the engine's has as well: of the shortest messages, a load counts
    final Session session;
    final Device device;
    final int size;
    final int rank;

    /** Rank in the job of each rank that messages can go to; empty once the communicator is unusable. */
    private int[] peers;

    /** For each rank of the job its rank among the peers, or {@link Group#UNDEFINED}. */
    private final int[] ranks;

    private final int context;
    private volatile @Nullable Errhandler ownErrorHandler;
    private final Attributes attributes = new Attributes();

    /** A communicator that cannot be used, for the reason given. */
    @SuppressWarnings("NullAway") // without peers, no call gets as far as the session and the device
    Comm(String unusable) {
        this.inside = Communicator.unusable(unusable);
        this.mpjdevComm = new mpjdev.Comm(0, Group.NOBODY, Group.NOBODY);
        this.group = new Group(Group.NOBODY);
        this.environment = null;
        this.session = null;
        this.device = null;
        this.size = 0;
        this.rank = Constants.UNDEFINED;
        this.peers = NOBODY;
        this.ranks = NOBODY;
        this.context = 0;
        inside.face(new MpiFace(this));
    }

    Comm(Environment environment, Communicator inside) {
        this.environment = environment;
        this.inside = inside;
        this.session = inside.session();
        this.device = inside.device();
        this.mpjdevComm = mpjdev.Comm.of(inside);
        this.group = new Group(mpjdevComm.localgroup);
        this.size = inside.size();
        this.rank = inside.rank();
        this.peers = inside.peers();
        this.ranks = inside.ranks();
        this.context = inside.contexts();
        inside.face(new MpiFace(this));
        mpjdevComm.connect(session, this::barrierOfGroup);
        environment.register(this);
    }

    // ---- what a communicator is

    /** Number of ranks in the local group. */
    public int Size() throws MPIException {
        requireUsable("Comm.Size");
        return size;
    }

    /** This rank in the local group. */
    public int Rank() throws MPIException {
        requireUsable("Comm.Rank");
        return rank;
    }

    /** The local group. */
    public Group Group() throws MPIException {
        requireUsable("Comm.Group");
        return group;
    }

    /**
     * Compares two communicators: {@link MPI#IDENT} for the same, {@link MPI#CONGRUENT} for the same group in other
     * contexts, {@link MPI#SIMILAR} for the same ranks in another order, or else {@link MPI#UNEQUAL}.
     */
    public static int Compare(Comm one, Comm other) throws MPIException {
        Comm first = one.here();
        Comm second = other.here();
        first.requireUsable("Comm.Compare");
        second.requireUsable("Comm.Compare");
        if (first.context == second.context && first.getClass() == second.getClass()) {
            return MPI.IDENT;
        }
        if (first.Test_inter() != second.Test_inter()) {
            return MPI.UNEQUAL;
        }
        int local = mpjdev.Group.compare(first.mpjdevComm.localgroup, second.mpjdevComm.localgroup);
        int remote = mpjdev.Group.compare(first.mpjdevComm.group, second.mpjdevComm.group);
        if (local == MPI.UNEQUAL || remote == MPI.UNEQUAL) {
            return MPI.UNEQUAL;
        }
        return local == MPI.IDENT && remote == MPI.IDENT ? MPI.CONGRUENT : MPI.SIMILAR;
    }

    /** True if this is {@link MPI#COMM_NULL} or has been freed. */
    public boolean Is_null() {
        return inside.unusable() != null;
    }

    /** True for a communicator between two groups. */
    public boolean Test_inter() throws MPIException {
        return false;
    }

    /** {@link MPI#CART}, {@link MPI#GRAPH} or {@link MPI#UNDEFINED}. */
    public int Topo_test() throws MPIException {
        return MPI.UNDEFINED;
    }

    /** A communicator of the same ranks with contexts of its own; all ranks have to call it. */
    @Override
    public Object clone() throws MPIException {
        throw Errors.failed(this, "Comm.clone", notUsable());
    }

    /**
     * Gives the communicator up. Communication under way goes on.
     *
     * @throws MPIException if it is one of the predefined communicators
     */
    public void Free() throws MPIException {
        try {
            inside.free();
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Free", failure);
        }
        peers = NOBODY;
    }

    /**
     * Ends the whole job with the given exit status, as the system has it: 1 to 255.
     *
     * @param errorcode exit status; of a larger number, or a negative one, the lowest eight bits, or 1 if they are 0
     */
    public void Abort(int errorcode) throws MPIException {
        Environment ofRank = environment();
        Session open = ofRank.sessionOrNull();
        if (open == null) {
            throw Errors.failed(ofRank, "Comm.Abort", Errors.wrong(ErrorClass.OTHER, ofRank.whyNotRunning()));
        }
        open.abort(errorcode, "rank " + open.wireup().rank() + " called Abort(" + errorcode + ")");
    }

    /**
     * Connects two groups; this communicator is the one in which the leaders reach each other, and need be the right
     * one only there.
     *
     * @param local_comm communicator of the own group, all of whose ranks have to call this
     * @param local_leader the leader's rank in it
     * @param remote_leader rank of the other group's leader in this communicator
     * @param tag tag for the messages of the leaders, for calls that threads make at the same time
     */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        try {
            return Intercomm.create(this, Intercomm.intracomm(local_comm), local_leader, remote_leader, tag);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Create_intercomm on rank " + describeSelf(), failure);
        }
    }

    // ---- attributes and error handlers

    /**
     * The value kept under a key: {@link MPI#TAG_UB}, {@link MPI#HOST}, {@link MPI#IO}, {@link MPI#WTIME_IS_GLOBAL}
     * (all of them an {@link Integer}), or one that was put.
     *
     * @return null if there is none
     */
    public @Nullable Object Attr_get(int keyval) throws MPIException {
        requireUsable("Comm.Attr_get");
        return attributes.get(keyval, session);
    }

    /** Keeps a value under a key of the program's choice, or one of {@link MPI#Keyval_create}. */
    public void Attr_put(int keyval, int value) throws MPIException {
        Attr_put(keyval, (Object) value);
    }

    /** As {@link #Attr_put(int, int)}, with any object. */
    public void Attr_put(int keyval, Object value) throws MPIException {
        requireUsable("Comm.Attr_put");
        attributes.put(keyval, value, this);
    }

    /** Forgets the value kept under a key. */
    public void Attr_delete(int keyval) throws MPIException {
        requireUsable("Comm.Attr_delete");
        attributes.delete(keyval, this);
    }

    /** Sets the error handler of this communicator alone; see {@link MPI#Errorhandler_set} for that of the rank. */
    public void Errhandler_set(Errhandler errhandler) throws MPIException {
        requireUsable("Comm.Errhandler_set");
        ownErrorHandler = errhandler;
    }

    /** The error handler in effect for this communicator. */
    public Errhandler Errorhandler_get() throws MPIException {
        Errhandler own = ownErrorHandler;
        return own != null ? own : environment().errorHandler();
    }

    /** As {@link #Errorhandler_get}, by the name that goes with {@link #Errhandler_set}. */
    public Errhandler Errhandler_get() throws MPIException {
        return Errorhandler_get();
    }

    /** The rank that this belongs to; of what cannot be used, the rank that asks. */
    final Environment environment() {
        return environment == null ? Environment.ofCaller() : environment;
    }

    /** A communicator that is derived from another behaves like it when a call fails. */
    void inheritFrom(Comm parent) {
        ownErrorHandler = parent.ownErrorHandler;
    }

    /** A duplicate has the attributes of the original whose keys say so. */
    final <C extends Comm> C duplicated(C copy) {
        copy.inheritFrom(this);
        Comm duplicate = copy;
        duplicate.attributes.copyFrom(attributes, this);
        return copy;
    }

    /** For {@link mpjdev.Comm#barrier}. */
    void barrierOfGroup() {
        throw Errors.failed(this, "mpjdev.Comm.barrier", notUsable());
    }

    // ---- what the other classes of the package need

    /** The communicator that calls of the calling thread on this one are for. */
    Comm here() {
        return this;
    }

    final void invalidate(String reason) {
        inside.invalidate(reason);
        peers = NOBODY;
    }

    private DeviceException notUsable() {
        return inside.notUsable();
    }

    final void checkUsable() {
        inside.checkUsable();
    }

    final void requireUsable(String call) throws MPIException {
        if (inside.unusable() != null) {
            throw Errors.failed(this, call, notUsable());
        }
    }

    /** Rank among the peers of a rank of the job. */
    final int rankOf(int jobRank) {
        return ranks[jobRank];
    }

    /** Rank in the job of a peer that has been checked. */
    final int jobRank(int peer) {
        return peers[peer];
    }

    /** Source for the device of a source that has been checked. */
    final int jobSource(int source) {
        return source == Constants.ANY_SOURCE ? Device.ANY_SOURCE : peers[source];
    }

    /** Context of point-to-point messages, or of those of the program's own collective operations. */
    final int context(boolean pt2pt) {
        return context + (pt2pt ? Session.MESSAGES : Session.COLLECTIVES_OF_PROGRAMS);
    }

    final int restContext() {
        return inside.restContext();
    }

    final int peerCount() {
        return peers.length;
    }

    final String describeSelf() {
        return inside.describeSelf();
    }

    final void checkSend(@Nullable Object buffer, int offset, int count, @Nullable Datatype type, int dest, int tag) {
        checkUsable();
        if ((dest < 0 || dest >= peers.length) && dest != Constants.PROC_NULL) {
            throw Errors.wrong(
                    ErrorClass.RANK,
                    "there is no rank " + dest + " to send to; valid are 0 to " + (peers.length - 1)
                            + " and MPI.PROC_NULL");
        }
        session.checkSendTag(tag);
        if (dest != Constants.PROC_NULL) {
            Datatype.checked(type).inside.checkMessage(buffer, offset, count);
        }
    }

    final void checkReceive(
            @Nullable Object buffer, int offset, int count, @Nullable Datatype type, int source, int tag) {
        checkSource(source, tag);
        if (source != Constants.PROC_NULL) {
            Datatype.checked(type).inside.checkMessage(buffer, offset, count);
            if (buffer instanceof MemorySegment segment && segment.isReadOnly()) {
                throw Errors.wrong(ErrorClass.BUFFER, "the buffer can only be read");
            }
        }
    }

    private void checkSource(int source, int tag) {
        checkUsable();
        if ((source < 0 || source >= peers.length) && source != Constants.ANY_SOURCE && source != Constants.PROC_NULL) {
            throw Errors.wrong(
                    ErrorClass.RANK,
                    "there is no rank " + source + " to receive from; valid are 0 to " + (peers.length - 1)
                            + ", MPI.ANY_SOURCE and MPI.PROC_NULL");
        }
        if (tag < 0 && tag != Constants.ANY_TAG) {
            throw Errors.wrong(ErrorClass.TAG, "the tag of a receive is not negative or MPI.ANY_TAG, it is " + tag);
        }
        session.checkLargestTag(tag);
    }

    // ---- blocking communication

    /** Sends; returns when the buffer may be changed again, which need not mean that the message has been received. */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        int[] targets = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && dest >= 0
                && dest < targets.length) {
            try {
                device.send(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        targets[dest],
                        tag,
                        context);
            } catch (RuntimeException failure) {
                throw PointToPoint.sendFailed(this, "Send", failure, buf, offset, count, datatype, dest, tag);
            }
        } else {
            send(buf, offset, count, datatype, dest, tag, true);
        }
    }

    /** As {@link #Send}, in a context of its own unless {@code pt2pt}. */
    protected void send(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        PointToPoint.send(this, PointToPoint.STANDARD, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Sends; returns when the receiver has begun to receive. */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        ssend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Ssend}, in a context of its own unless {@code pt2pt}. */
    protected void ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        PointToPoint.send(this, PointToPoint.SYNCHRONOUS, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Sends from a copy in the attached buffer, see {@link MPI#Buffer_attach}; never waits for the receiver. */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        bsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Bsend}, in a context of its own unless {@code pt2pt}. */
    protected void bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        PointToPoint.send(this, PointToPoint.BUFFERED, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Sends to a rank that is receiving already; where it is not, this is {@link #Send}. */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        rsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Rsend}, in a context of its own unless {@code pt2pt}. */
    protected void rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        PointToPoint.send(this, PointToPoint.READY, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /**
     * Receives; {@code source} may be {@link MPI#ANY_SOURCE} and {@code tag} {@link MPI#ANY_TAG}.
     *
     * @throws MPIException also if the message is longer than {@code count} items; those are in the buffer then
     */
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) throws MPIException {
        if (buf != null && datatype != null && buf.getClass() == datatype.arrayClass && source >= 0 && tag >= 0) {
            return new Status(source, tag, PointToPoint.receive(this, buf, offset, count, datatype, source, tag));
        }
        return recv(buf, offset, count, datatype, source, tag, true);
    }

    /** As {@link #Recv}, in a context of its own unless {@code pt2pt}. */
    protected Status recv(Object buf, int offset, int count, Datatype datatype, int source, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.recv(this, buf, offset, count, datatype, source, tag, pt2pt);
    }

    /** Sends one message while receiving another, in either order. */
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        return sendrecv(
                sendbuf,
                sendoffset,
                sendcount,
                sendtype,
                dest,
                sendtag,
                recvbuf,
                recvoffset,
                recvcount,
                recvtype,
                source,
                recvtag);
    }

    /** What {@link #Sendrecv} does. */
    protected Status sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        if (PointToPoint.isPlainExchange(sendtype, dest, recvtype, source)) {
            return PointToPoint.exchangePlain(
                    this,
                    sendbuf,
                    sendoffset,
                    sendcount,
                    sendtype,
                    dest,
                    sendtag,
                    recvbuf,
                    recvoffset,
                    recvcount,
                    recvtype,
                    source,
                    recvtag);
        }
        Request receive = Irecv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
        try {
            Send(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
        } catch (MPIException failure) {
            receive.Cancel();
            throw failure;
        }
        return receive.Wait();
    }

    /** Sends what is in a buffer and receives another message into it. */
    public Status Sendrecv_replace(
            Object buf, int offset, int count, Datatype datatype, int dest, int sendtag, int source, int recvtag)
            throws MPIException {
        return PointToPoint.exchange(this, buf, offset, count, datatype, dest, sendtag, source, recvtag);
    }

    // ---- communication that is started and waited for

    /** Starts what {@link #Send} does. */
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        int[] targets = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && dest >= 0
                && dest < targets.length) {
            try {
                // in this order: a new object that no call comes between costs no card marks
                org.galerna.device.Request operation = device.isend(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        targets[dest],
                        tag,
                        context);
                return new Request(this, operation, false);
            } catch (RuntimeException failure) {
                throw PointToPoint.sendFailed(this, "Isend", failure, buf, offset, count, datatype, dest, tag);
            }
        }
        return isend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Isend}, in a context of its own unless {@code pt2pt}. */
    protected Request isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.isend(this, PointToPoint.STANDARD, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Ssend} does. */
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return issend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Issend}, in a context of its own unless {@code pt2pt}. */
    protected Request issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.isend(this, PointToPoint.SYNCHRONOUS, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Bsend} does. */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return ibsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Ibsend}, in a context of its own unless {@code pt2pt}. */
    protected Request ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.isend(this, PointToPoint.BUFFERED, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Rsend} does. */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return irsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Irsend}, in a context of its own unless {@code pt2pt}. */
    protected Request irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.isend(this, PointToPoint.READY, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Recv} does. */
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        int[] sources = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && source >= 0
                && source < sources.length
                && tag >= 0) {
            try {
                org.galerna.device.Request operation = device.irecv(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        sources[source],
                        tag,
                        context);
                return new Request(this, operation, true);
            } catch (RuntimeException failure) {
                throw PointToPoint.receiveFailed(this, "Irecv", failure, buf, offset, count, datatype, source, tag);
            }
        }
        return irecv(buf, offset, count, datatype, source, tag, true);
    }

    /** As {@link #Irecv}, in a context of its own unless {@code pt2pt}. */
    protected Request irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag, boolean pt2pt)
            throws MPIException {
        return PointToPoint.irecv(this, buf, offset, count, datatype, source, tag, pt2pt);
    }

    // ---- communication that can be started again and again

    /** A request that does what {@link #Send} does whenever it is started. */
    public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(PointToPoint.STANDARD, "Send_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Bsend} does whenever it is started. */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(PointToPoint.BUFFERED, "Bsend_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Ssend} does whenever it is started. */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(PointToPoint.SYNCHRONOUS, "Ssend_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Rsend} does whenever it is started. */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(PointToPoint.READY, "Rsend_init", buf, offset, count, datatype, dest, tag);
    }

    private Prequest persistentSend(
            int mode, String call, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Object data = buf;
        try {
            data = Memory.behind(buf, datatype);
            checkSend(data, offset, count, datatype, dest, tag);
        } catch (RuntimeException failure) {
            throw PointToPoint.sendFailed(this, call, failure, data, offset, count, datatype, dest, tag);
        }
        return new Prequest(this, mode, data, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Recv} does whenever it is started. */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        Object data = buf;
        try {
            data = Memory.behind(buf, datatype);
            checkReceive(data, offset, count, datatype, source, tag);
        } catch (RuntimeException failure) {
            throw PointToPoint.receiveFailed(this, "Recv_init", failure, data, offset, count, datatype, source, tag);
        }
        return new Prequest(this, PointToPoint.RECEIVE, data, offset, count, datatype, source, tag);
    }

    // ---- messages that have arrived

    /**
     * Blocks until a message has arrived that {@link #Recv} with the same arguments would receive, and leaves it there.
     * The number of objects in it is known only after it has been received.
     */
    public Status Probe(int source, int tag) throws MPIException {
        try {
            checkSource(source, tag);
            if (source == Constants.PROC_NULL) {
                return PointToPoint.nullProcess();
            }
            return envelope(device.probe(jobSource(source), tag == Constants.ANY_TAG ? Device.ANY_TAG : tag, context));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, PointToPoint.describeProbe("Probe", this, source, tag), failure);
        }
    }

    /** As {@link #Probe} if a message has arrived already; null if none has. */
    public @Nullable Status Iprobe(int source, int tag) throws MPIException {
        try {
            checkSource(source, tag);
            if (source == Constants.PROC_NULL) {
                return PointToPoint.nullProcess();
            }
            org.galerna.device.Status found =
                    device.iprobe(jobSource(source), tag == Constants.ANY_TAG ? Device.ANY_TAG : tag, context);
            return found == null ? null : envelope(found);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, PointToPoint.describeProbe("Iprobe", this, source, tag), failure);
        }
    }

    private Status envelope(org.galerna.device.Status found) {
        return new Status(rankOf(found.source()), found.tag(), found.length());
    }

    // ---- data packed by the program

    /** Serializes objects, for {@link #Object_Deserialize}. */
    public byte[] Object_Serialize(Object buf, int offset, int count, Datatype type) throws MPIException {
        try {
            checkUsable();
            return session.packedData().serialize(buf, offset, count, Datatype.checked(type).inside);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Object_Serialize", failure);
        }
    }

    /** Brings objects back that {@link #Object_Serialize} has serialized. */
    public void Object_Deserialize(Object buf, byte[] data, int offset, int count, Datatype type) throws MPIException {
        try {
            checkUsable();
            session.packedData().unpack(data, 0, buf, offset, count, PackedData.ofObjects(Datatype.inside(type)));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Object_Deserialize", failure);
        }
    }

    /**
     * Bytes that {@code incount} items take when they are packed.
     *
     * @throws MPIException for objects, which have no size before they are packed
     */
    public int Pack_size(int incount, Datatype datatype) throws MPIException {
        try {
            return PackedData.size(incount, Datatype.checked(datatype).inside);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Pack_size", failure);
        }
    }

    /**
     * Packs items into an array, from {@code position} on.
     *
     * @return the position behind them
     */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        try {
            checkUsable();
            return session.packedData()
                    .pack(inbuf, offset, incount, Datatype.checked(datatype).inside, outbuf, position);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Pack", failure);
        }
    }

    /** As {@link #Pack(Object, int, int, Datatype, byte[], int)}. */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
            throws MPIException {
        int end = Pack(inbuf, offset, incount, datatype, outbuf.array(), position);
        outbuf.setSize(end);
        return end;
    }

    /**
     * Unpacks items out of an array, from {@code position} on.
     *
     * @return the position behind them
     */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        try {
            checkUsable();
            return session.packedData()
                    .unpack(inbuf, position, outbuf, offset, outcount, Datatype.checked(datatype).inside);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "Comm.Unpack", failure);
        }
    }

    /** As {@link #Unpack(byte[], int, Object, int, int, Datatype)}. */
    public int Unpack(mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return Unpack(inbuf.array(), position, outbuf, offset, outcount, datatype);
    }
}
