package mpi;

import java.util.function.Function;
import org.galerna.mpi.collective.CollectiveCalls;
import org.galerna.mpi.comm.Communicator;
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
    Communicator inside() {
        return here().inside;
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
    public Object clone() throws MPIException {
        return here().clone();
    }

    @Override
    public Group Group() throws MPIException {
        return here().Group();
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
}
