package mpi;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.request.PersistentMessage;

/**
 * A communication that can be started again and again with the same arguments. Between completion and the next start it
 * is inactive. What it needs for items with gaps it keeps, so that starting and completing it allocates no memory but
 * for the status (objects and buffered sends apart).
 */
public class Prequest extends Request {
    private final PersistentMessage message;

    Prequest(Communicator comm, PersistentMessage message) {
        super(comm);
        this.message = message;
    }

    /**
     * Starts the communication.
     *
     * @throws MPIException if it is active already, has been given up, or cannot be started
     */
    public void Start() throws MPIException {
        message.start(this, "Prequest.Start");
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
        return message.isFreed();
    }

    /** Gives the request up; a communication under way goes on. */
    @Override
    public void Free() throws MPIException {
        super.Free();
        message.free();
    }
}
