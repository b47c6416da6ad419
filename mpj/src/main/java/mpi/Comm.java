package mpi;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Device;
import org.galerna.device.RankList;
import org.galerna.device.support.Compensation;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Intercommunicator;
import org.galerna.mpi.request.Exchange;
import org.galerna.mpi.request.PersistentMessage;
import org.galerna.mpi.request.PointToPoint;
import org.galerna.mpi.request.SendMode;
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
public class Comm extends BaseComm {

    /** The messages between two ranks. */
    private final PointToPoint messages;

    // what the engine has as well: of the shortest messages, a load counts
    private final Device device;
    private final int context;

    /** Rank in the job of each rank that messages can go to; empty once the communicator is unusable. */
    private RankList peers;

    /** A communicator that cannot be used, for the reason given. */
    Comm(String unusable) {
        super(unusable);
        this.messages = new PointToPoint(inside, Session.MESSAGES);
        this.device = inside.device();
        this.context = 0;
        this.peers = RankList.EMPTY;
    }

    Comm(Environment environment, Communicator inside) {
        super(environment, inside);
        this.messages = new PointToPoint(inside, Session.MESSAGES);
        this.device = inside.device();
        this.context = inside.contexts() + Session.MESSAGES;
        this.peers = inside.peers();
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

    @Override
    public void Free() throws MPIException {
        super.Free();
        peers = RankList.EMPTY;
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
        return call(inside().describe("Comm.Create_intercomm"), () -> {
            Intracomm members = Intercomm.intracomm(local_comm);
            Intercommunicator groups =
                    Intercommunicator.create(inside(), members.inside, local_leader, remote_leader, tag);
            Intercomm created = new Intercomm(members.environment(), groups);
            created.inheritFrom(members);
            return created;
        });
    }

    // ---- what the other classes of the package need

    @Override
    void invalidate(String reason) {
        super.invalidate(reason);
        peers = RankList.EMPTY;
    }

    /** The communicator that calls of the calling thread on this one are for. */
    Comm here() {
        return this;
    }

    /** Messages between two ranks, or those of the program's own collective operations. */
    PointToPoint messages(boolean pt2pt) {
        return pt2pt ? messages : new PointToPoint(inside, Session.COLLECTIVES_OF_PROGRAMS);
    }

    // ---- blocking communication

    /** Sends; returns when the buffer may be changed again, which need not mean that the message has been received. */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        RankList targets = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && dest >= 0
                && dest < targets.size()) {
            try {
                device.send(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        targets.get(dest),
                        tag,
                        context);
            } catch (RuntimeException failure) {
                throw messages.sendFailed("Send", failure, buf, offset, count, datatype.inside, dest, tag);
            }
        } else {
            send(buf, offset, count, datatype, dest, tag, true);
        }
    }

    /** As {@link #Send}, in a context of its own unless {@code pt2pt}. */
    protected void send(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        messages(pt2pt).send(SendMode.STANDARD, buf, offset, count, in(datatype), dest, tag);
    }

    /** Sends; returns when the receiver has begun to receive. */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        ssend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Ssend}, in a context of its own unless {@code pt2pt}. */
    protected void ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        messages(pt2pt).send(SendMode.SYNCHRONOUS, buf, offset, count, in(datatype), dest, tag);
    }

    /** Sends from a copy in the attached buffer, see {@link MPI#Buffer_attach}; never waits for the receiver. */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        bsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Bsend}, in a context of its own unless {@code pt2pt}. */
    protected void bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        messages(pt2pt).send(SendMode.BUFFERED, buf, offset, count, in(datatype), dest, tag);
    }

    /** Sends to a rank that is receiving already; where it is not, this is {@link #Send}. */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        rsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Rsend}, in a context of its own unless {@code pt2pt}. */
    protected void rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        messages(pt2pt).send(SendMode.READY, buf, offset, count, in(datatype), dest, tag);
    }

    /**
     * Receives; {@code source} may be {@link MPI#ANY_SOURCE} and {@code tag} {@link MPI#ANY_TAG}.
     *
     * @throws MPIException also if the message is longer than {@code count} items; those are in the buffer then
     */
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) throws MPIException {
        if (buf != null && datatype != null && buf.getClass() == datatype.arrayClass && source >= 0 && tag >= 0) {
            return new Status(source, tag, messages.receive(buf, offset, count, datatype.inside, source, tag));
        }
        return recv(buf, offset, count, datatype, source, tag, true);
    }

    /** As {@link #Recv}, in a context of its own unless {@code pt2pt}. */
    protected Status recv(Object buf, int offset, int count, Datatype datatype, int source, int tag, boolean pt2pt)
            throws MPIException {
        return messages(pt2pt).recv(Status.KINDS, buf, offset, count, in(datatype), source, tag);
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
        return Exchange.sendrecv(
                messages(true),
                Status.KINDS,
                sendbuf,
                sendoffset,
                sendcount,
                in(sendtype),
                dest,
                sendtag,
                recvbuf,
                recvoffset,
                recvcount,
                in(recvtype),
                source,
                recvtag);
    }

    /** Sends what is in a buffer and receives another message into it. */
    public Status Sendrecv_replace(
            Object buf, int offset, int count, Datatype datatype, int dest, int sendtag, int source, int recvtag)
            throws MPIException {
        return Exchange.replace(
                messages(true), Status.KINDS, buf, offset, count, in(datatype), dest, sendtag, source, recvtag);
    }

    // ---- communication that is started and waited for

    /** Starts what {@link #Send} does. */
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        RankList targets = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && dest >= 0
                && dest < targets.size()) {
            try {
                // in this order: a new object that no call comes between costs no card marks
                org.galerna.device.Request operation = device.isend(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        targets.get(dest),
                        tag,
                        context);
                return new Request(inside, operation, false);
            } catch (RuntimeException failure) {
                throw messages.sendFailed("Isend", failure, buf, offset, count, datatype.inside, dest, tag);
            }
        }
        return isend(buf, offset, count, datatype, dest, tag, true);
    }

    private Request isend(
            SendMode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt) {
        PointToPoint on = messages(pt2pt);
        Request request = new Request(on.communicator());
        on.isend(request, mode, buf, offset, count, in(datatype), dest, tag);
        return request;
    }

    /** As {@link #Isend}, in a context of its own unless {@code pt2pt}. */
    protected Request isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return isend(SendMode.STANDARD, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Ssend} does. */
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return issend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Issend}, in a context of its own unless {@code pt2pt}. */
    protected Request issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return isend(SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Bsend} does. */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return ibsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Ibsend}, in a context of its own unless {@code pt2pt}. */
    protected Request ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return isend(SendMode.BUFFERED, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Rsend} does. */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return irsend(buf, offset, count, datatype, dest, tag, true);
    }

    /** As {@link #Irsend}, in a context of its own unless {@code pt2pt}. */
    protected Request irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag, boolean pt2pt)
            throws MPIException {
        return isend(SendMode.READY, buf, offset, count, datatype, dest, tag, pt2pt);
    }

    /** Starts what {@link #Recv} does. */
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        RankList sources = peers;
        if (buf != null
                && datatype != null
                && buf.getClass() == datatype.arrayClass
                && source >= 0
                && source < sources.size()
                && tag >= 0) {
            try {
                org.galerna.device.Request operation = device.irecv(
                        buf,
                        (long) offset * datatype.elementBytes,
                        (long) count * datatype.itemBytes,
                        sources.get(source),
                        tag,
                        context);
                return new Request(inside, operation, true);
            } catch (RuntimeException failure) {
                throw messages.receiveFailed("Irecv", failure, buf, offset, count, datatype.inside, source, tag);
            }
        }
        return irecv(buf, offset, count, datatype, source, tag, true);
    }

    /** As {@link #Irecv}, in a context of its own unless {@code pt2pt}. */
    protected Request irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag, boolean pt2pt)
            throws MPIException {
        PointToPoint on = messages(pt2pt);
        Request request = new Request(on.communicator());
        on.irecv(request, buf, offset, count, in(datatype), source, tag);
        return request;
    }

    // ---- communication that can be started again and again

    /** A request that does what {@link #Send} does whenever it is started. */
    public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(SendMode.STANDARD, "Send_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Bsend} does whenever it is started. */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(SendMode.BUFFERED, "Bsend_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Ssend} does whenever it is started. */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(SendMode.SYNCHRONOUS, "Ssend_init", buf, offset, count, datatype, dest, tag);
    }

    /** A request that does what {@link #Rsend} does whenever it is started. */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistentSend(SendMode.READY, "Rsend_init", buf, offset, count, datatype, dest, tag);
    }

    private Prequest persistentSend(
            SendMode mode, String call, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        PointToPoint on = messages(true);
        return new Prequest(
                on.communicator(), PersistentMessage.send(on, mode, call, buf, offset, count, in(datatype), dest, tag));
    }

    /** A request that does what {@link #Recv} does whenever it is started. */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        PointToPoint on = messages(true);
        return new Prequest(
                on.communicator(),
                PersistentMessage.receive(on, "Recv_init", buf, offset, count, in(datatype), source, tag));
    }

    // ---- messages that have arrived

    /**
     * Blocks until a message has arrived that {@link #Recv} with the same arguments would receive, and leaves it there.
     * The number of objects in it is known only after it has been received.
     */
    public Status Probe(int source, int tag) throws MPIException {
        return messages(true).probe(Status.KINDS, source, tag);
    }

    /** As {@link #Probe} if a message has arrived already; null if none has. */
    public @Nullable Status Iprobe(int source, int tag) throws MPIException {
        return Compensation.polled(messages(true).iprobe(Status.KINDS, source, tag));
    }

    static org.galerna.mpi.datatype.@Nullable Datatype in(@Nullable Datatype type) {
        return Datatype.inside(type);
    }
}
