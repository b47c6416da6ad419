package mpi;

import org.galerna.device.ErrorClass;

/**
 * A communication that can be started again and again with the same arguments. Between completion and the next start it
 * is inactive.
 */
public class Prequest extends Request {
    private final int mode;
    private final Object buffer;
    private final int offset;
    private final int count;
    private final Datatype datatype;
    private final int peer;
    private final int tag;
    private boolean freed;

    Prequest(Comm comm, int mode, Object buffer, int offset, int count, Datatype datatype, int peer, int tag) {
        super(comm, null, mode == PointToPoint.RECEIVE);
        this.mode = mode;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.datatype = datatype;
        this.peer = peer;
        this.tag = tag;
    }

    /**
     * Starts the communication.
     *
     * @throws MPIException if it is active already, has been given up, or cannot be started
     */
    public void Start() throws MPIException {
        if (isActive()) {
            throw Errors.failed(comm, "Prequest.Start", inactiveNeeded());
        }
        if (freed) {
            throw Errors.failed(
                    comm, "Prequest.Start", Errors.wrong(ErrorClass.REQUEST, "the persistent request has been freed"));
        }
        Request started = mode == PointToPoint.RECEIVE
                ? PointToPoint.irecv(comm, buffer, offset, count, datatype, peer, tag, true)
                : PointToPoint.isend(comm, mode, buffer, offset, count, datatype, peer, tag, true);
        operation = started.operation;
        stage = started.stage;
    }

    /**
     * Starts all communications.
     *
     * @throws MPIException if one cannot be started; those before it have been
     */
    public static void Startall(Prequest[] requests) throws MPIException {
        for (Prequest request : requests) {
            request.Start();
        }
    }

    /** True if the request has been given up; an inactive one is not null. */
    @Override
    public boolean Is_null() throws MPIException {
        return freed;
    }

    /** Gives the request up; a communication under way goes on. */
    @Override
    public void Free() throws MPIException {
        super.Free();
        freed = true;
    }
}
