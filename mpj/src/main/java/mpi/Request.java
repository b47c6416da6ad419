package mpi;

import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.request.BaseRequest;
import org.galerna.mpi.request.CompletionSet;
import org.galerna.mpi.request.Started;
import org.galerna.mpi.request.Statuses;
import org.jspecify.annotations.Nullable;

/**
 * A communication that has been started. Waiting for it, or testing it with success, completes it: then it is null in
 * the sense of {@link #Is_null}, and doing so again gives an empty status at once. Any thread may use a request, one at
 * a time.
 */
public class Request extends BaseRequest<Status> {
    private static final CompletionSet<Status> SETS = new CompletionSet<>(Status.KINDS);

    /** What the request was made from by {@link #Request(mpjdev.Request)}; null for requests of a communicator. */
    public mpjdev.@Nullable Request req;

    /** A request for an operation of the device, with ranks of the job. */
    public Request(mpjdev.Request request) {
        this(Environment.ofCaller().world().inside(), request.operation(), true);
        this.req = request;
    }

    /** An operation without more to do. */
    Request(Communicator comm, org.galerna.device.@Nullable Request operation, boolean receive) {
        super(comm, operation, receive);
    }

    Request(Communicator comm) {
        super(comm);
    }

    Request(Communicator comm, Started started) {
        super(comm, started);
    }

    @Override
    protected final Statuses<Status> statuses() {
        return Status.KINDS;
    }

    /**
     * Blocks until the communication is complete.
     *
     * @return its status; an empty one if the request is null or inactive
     * @throws MPIException if the communication failed; the request is null or inactive afterwards
     */
    public Status Wait() throws MPIException {
        return await("Request.Wait");
    }

    /**
     * Completes the communication if that is possible without blocking.
     *
     * @return its status, an empty one if the request is null or inactive; null if it is not complete
     * @throws MPIException if the communication failed; the request is null or inactive afterwards
     */
    public @Nullable Status Test() throws MPIException {
        return test("Request.Test");
    }

    /** Does nothing, and being empty costs nothing: the virtual machine registers no finalizer for an empty method. */
    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"})
    public void finalize() throws MPIException {}

    /** True if there is nothing to wait for, because the communication has been completed or given up. */
    public boolean Is_null() throws MPIException {
        return !isActive();
    }

    /**
     * Gives the request up; the communication goes on. A receive that is given up still fills its buffer if the
     * datatype has no gaps and is not boolean or object.
     */
    public void Free() throws MPIException {
        forget();
    }

    /**
     * Tries to cancel the communication. It has still to be waited for; {@link Status#Test_cancelled} then says whether
     * it was cancelled. A receive that no message has matched always is. A send is, if its receiver has neither received nor
     * probed its message, and the message has not been accepted before: small messages mostly are, at once. The wait then needs
     * no call of the other rank. No effect on a communication that is complete.
     *
     * @throws MPIException if it is a collective operation
     */
    public void Cancel() throws MPIException {
        if (req == null) {
            cancel("Request.Cancel");
        } else if (isActive()) {
            boolean unused = req.cancel(); // the status says so
        }
    }

    /**
     * Waits for all requests; null elements are skipped.
     *
     * @return a status for each
     * @throws MPIException if a communication failed, after all have ended; the first failure, with the others added as
     *     suppressed
     */
    public static Status[] Waitall(Request[] requests) throws MPIException {
        return SETS.awaitAll(requests, "Request.Waitall");
    }

    /**
     * Waits for one of the requests; null elements are skipped.
     *
     * @return the status of the one that completed, with its {@code index}; an empty one with the index
     *     {@link MPI#UNDEFINED} if there is none to wait for
     * @throws MPIException if the communication that ended has failed
     */
    public static Status Waitany(Request[] requests) throws MPIException {
        return SETS.awaitAny(requests, "Request.Waitany");
    }

    /**
     * Waits for at least one of the requests; null elements are skipped.
     *
     * @return the statuses of all that completed, each with its {@code index}; none if there is none to wait for
     * @throws MPIException if a communication that ended has failed
     */
    public static Status[] Waitsome(Request[] requests) throws MPIException {
        return SETS.awaitSome(requests, "Request.Waitsome");
    }

    /**
     * Completes one of the requests if that is possible without blocking; null elements are skipped.
     *
     * @return its status with its {@code index}; null if none is complete; an empty status with the index
     *     {@link MPI#UNDEFINED} if there is none to test
     * @throws MPIException if the communication that ended has failed
     */
    public static @Nullable Status Testany(Request[] requests) throws MPIException {
        return SETS.testAny(requests, "Request.Testany");
    }

    /**
     * Completes all requests if that is possible without blocking, or none of them; null elements are skipped.
     *
     * @return a status for each; null if one is not complete
     * @throws MPIException if a communication failed; as {@link #Waitall}
     */
    public static Status @Nullable [] Testall(Request[] requests) throws MPIException {
        return SETS.testAll(requests, "Request.Testall");
    }

    /**
     * Completes those requests that can be without blocking; null elements are skipped.
     *
     * @return their statuses, each with its {@code index}; possibly none
     * @throws MPIException if a communication that ended has failed
     */
    public static Status[] Testsome(Request[] requests) throws MPIException {
        return SETS.testSome(requests, "Request.Testsome");
    }
}
