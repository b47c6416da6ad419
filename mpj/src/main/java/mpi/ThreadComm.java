package mpi;

import java.util.function.Function;
import org.galerna.mpi.collective.CollectiveCalls;
import org.galerna.mpi.request.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a field of a class {@link MPI} that several ranks use: each call is one on the communicator of the rank
 * that the calling thread works for. Programs that are handed a communicator of their own do without this, and save the
 * look.
 */
final class ThreadComm extends Intracomm {
    private final Environment shared;
    private final Function<Environment, Intracomm> which;

    /**
     * A field's communicator.
     *
     * @param shared the environment of the class {@code MPI}, for threads that work for no rank of those who share it
     * @param which the communicator of an environment
     */
    ThreadComm(Environment shared, Function<Environment, Intracomm> which) {
        super("this stands for the communicator of the calling thread's rank");
        this.shared = shared;
        this.which = which;
    }

    @Override
    Intracomm here() {
        Environment rank = shared.here();
        boolean ofNone = rank == shared && !rank.isInitialized();
        return ofNone ? new Intracomm(rank.whyNotRunning()) : which.apply(rank);
    }

    @Override
    CollectiveCalls blocking() {
        return here().blocking();
    }

    @Override
    CollectiveCalls nonblocking() {
        return here().nonblocking();
    }

    @Override
    PointToPoint messages(boolean pt2pt) {
        return here().messages(pt2pt);
    }

    @Override
    public @Nullable Intracomm Split(int color, int key) throws MPIException {
        return here().Split(color, key);
    }

    @Override
    public Object clone() throws MPIException {
        return here().clone();
    }

    @Override
    public @Nullable Intracomm Create(Group group) throws MPIException {
        return here().Create(group);
    }

    @Override
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return here().Create_cart(dims, periods, reorder);
    }

    @Override
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return here().Create_graph(index, edges, reorder);
    }

    @Override
    public int Size() throws MPIException {
        return here().Size();
    }

    @Override
    public int Rank() throws MPIException {
        return here().Rank();
    }

    @Override
    public Group Group() throws MPIException {
        return here().Group();
    }

    @Override
    public boolean Is_null() {
        return here().Is_null();
    }

    @Override
    public boolean Test_inter() throws MPIException {
        return here().Test_inter();
    }

    @Override
    public int Topo_test() throws MPIException {
        return here().Topo_test();
    }

    @Override
    public void Free() throws MPIException {
        here().Free();
    }

    @Override
    public void Abort(int errorcode) throws MPIException {
        here().Abort(errorcode);
    }

    @Override
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        return here().Create_intercomm(local_comm, local_leader, remote_leader, tag);
    }

    @Override
    public @Nullable Object Attr_get(int keyval) throws MPIException {
        return here().Attr_get(keyval);
    }

    @Override
    public void Attr_put(int keyval, Object value) throws MPIException {
        here().Attr_put(keyval, value);
    }

    @Override
    public void Attr_delete(int keyval) throws MPIException {
        here().Attr_delete(keyval);
    }

    @Override
    public void Errhandler_set(Errhandler errhandler) throws MPIException {
        here().Errhandler_set(errhandler);
    }

    @Override
    public Errhandler Errorhandler_get() throws MPIException {
        return here().Errorhandler_get();
    }

    @Override
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        here().Send(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) throws MPIException {
        return here().Recv(buf, offset, count, datatype, source, tag);
    }

    @Override
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return here().Isend(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return here().Irecv(buf, offset, count, datatype, source, tag);
    }

    @Override
    public byte[] Object_Serialize(Object buf, int offset, int count, Datatype type) throws MPIException {
        return here().Object_Serialize(buf, offset, count, type);
    }

    @Override
    public void Object_Deserialize(Object buf, byte[] data, int offset, int count, Datatype type) throws MPIException {
        here().Object_Deserialize(buf, data, offset, count, type);
    }

    @Override
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        return here().Pack(inbuf, offset, incount, datatype, outbuf, position);
    }

    @Override
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
            throws MPIException {
        return here().Pack(inbuf, offset, incount, datatype, outbuf, position);
    }

    @Override
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return here().Unpack(inbuf, position, outbuf, offset, outcount, datatype);
    }

    @Override
    public int Unpack(mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return here().Unpack(inbuf, position, outbuf, offset, outcount, datatype);
    }
}
