package mpi;

import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.request.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A communication that has been started. Waiting for it, or testing it with success, completes it: then it is null in
 * the sense of {@link #Is_null}, and doing so again gives an empty status at once. Any thread may use a request, one at
 * a time.
 */
public class Request {
    /** By its identity rather than its methods, so that what stays to be called is of one or two classes. */
    private static final org.galerna.device.Request COMPLETED_SEND = org.galerna.device.Request.COMPLETED_SEND;

    /** What the request was made from by {@link #Request(mpjdev.Request)}; null for requests of a communicator. */
    public mpjdev.@Nullable Request req;

    final Comm comm;

    /** Operation of the device that is under way or done; null if there is none to wait for. */
    org.galerna.device.@Nullable Request operation;

    /** What is left to do after it; null if nothing is. */
    @Nullable
    Stage stage;

    /** Whether the operation has the envelope of a message. */
    final boolean receive;

    /** A request for an operation of the device, with ranks of the job. */
    public Request(mpjdev.Request request) {
        this(Environment.ofCaller().world(), request.operation(), true);
        this.req = request;
    }

    /** An operation without more to do. */
    Request(Comm comm, org.galerna.device.@Nullable Request operation, boolean receive) {
        this.comm = comm;
        this.operation = operation;
        this.receive = receive;
    }

    Request(Comm comm, org.galerna.device.@Nullable Request operation, Stage stage) {
        this(comm, operation, true);
        this.stage = stage;
    }

    /**
     * Blocks until the communication is complete.
     *
     * @return its status; an empty one if the request is null or inactive
     * @throws MPIException if the communication failed; the request is null or inactive afterwards
     */
    public Status Wait() throws MPIException {
        org.galerna.device.Request current = operation;
        if (current == null || stage != null) {
            return waitInStages();
        }
        if (current != COMPLETED_SEND) {
            try {
                current.await();
            } catch (RuntimeException failure) {
                throw failed("Request.Wait", current, failure);
            }
        }
        return take();
    }

    private Status succeeded(org.galerna.device.Request done) {
        Status status = receive ? new Status(comm.rankOf(done.source()), done.tag(), done.length()) : new Status();
        done.release();
        return status;
    }

    private Status waitInStages() {
        try {
            advance(true);
            return take();
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, "Request.Wait", failure);
        }
    }

    private MPIException failed(String call, org.galerna.device.Request failedOperation, RuntimeException failure) {
        if (failedOperation.isDone()) {
            operation = null;
            failedOperation.release();
        }
        return Errors.failed(comm, call, failure);
    }

    /**
     * Completes the communication if that is possible without blocking.
     *
     * @return its status, an empty one if the request is null or inactive; null if it is not complete
     * @throws MPIException if the communication failed; the request is null or inactive afterwards
     */
    public @Nullable Status Test() throws MPIException {
        try {
            return advance(false) || endsInVain() ? take() : null;
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, "Request.Test", failure);
        }
    }

    /** True if there is something to wait for. */
    final boolean isActive() {
        return operation != null || stage != null;
    }

    /**
     * Goes on as far as possible.
     *
     * @param block whether to wait for the device
     * @return true if {@link #take} can end the request now
     */
    final boolean advance(boolean block) {
        org.galerna.device.Request current;
        while ((current = operation) != null) {
            if (current == COMPLETED_SEND && stage == null) {
                return true;
            }
            if (block) {
                awaitQuietly(current);
            } else if (!current.test()) {
                return false;
            }
            Stage after = stage;
            if (after == null || !current.hasSucceeded()) {
                return true;
            }
            org.galerna.device.Request following = null;
            try {
                following = after.next(current);
            } catch (RuntimeException failure) {
                stage = new Stage.Failed(failure);
            }
            current.release();
            operation = following;
        }
        return true;
    }

    private static void awaitQuietly(org.galerna.device.Request operation) {
        try {
            operation.await();
        } catch (DeviceException failure) {
            if (!operation.isDone()) {
                throw failure;
            }
            // take() finds the failure in the request
        }
    }

    /** Whether it cannot succeed any more, because its peer has left in good order. */
    final boolean isInVain() {
        org.galerna.device.Request current = operation;
        return current != null && current.isInVain();
    }

    /** True if it cannot succeed any more, and {@link #take} tells why. */
    private boolean endsInVain() {
        org.galerna.device.Request current = operation;
        if (current == null) {
            return false;
        }
        current.failIfInVain();
        return current.isDone() && advance(false);
    }

    /** Ends a request of which {@link #advance} has said that it can be ended. */
    final Status take() {
        org.galerna.device.Request done = operation;
        Stage after = stage;
        operation = null;
        stage = null;
        if (done == null) {
            return after == null ? new Status() : finish(after);
        }
        if (done == COMPLETED_SEND) {
            return new Status();
        }
        return done.hasSucceeded() ? succeeded(done) : unsuccessful(done, after);
    }

    /** Ends what is left to do, and says what it has brought. */
    private Status finish(Stage after) {
        return switch (after.finish()) {
            case NOTHING -> new Status();
            case OF_NOBODY -> PointToPoint.nullProcess();
            case MESSAGE -> new Status(comm.rankOf(after.source()), after.tag(), after.bytes());
            case OBJECTS -> Status.ofObjects(comm.rankOf(after.source()), after.tag(), after.objects());
        };
    }

    private static Status unsuccessful(org.galerna.device.Request done, @Nullable Stage after) {
        DeviceException failure = done.failure();
        done.release();
        if (failure == null) {
            if (after != null) {
                after.cancelled();
            }
            return Status.ofCancelled();
        }
        if (after != null) {
            after.salvage(failure);
        }
        throw failure;
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
        operation = null;
        stage = null;
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
        org.galerna.device.Request current = operation;
        if (current == null) {
            return;
        }
        Stage after = stage;
        if (req != null) {
            boolean unused = req.cancel(); // the status says so
        } else if (after == null) {
            current.askToCancel();
        } else {
            try {
                after.cancel(current);
            } catch (RuntimeException failure) {
                throw Errors.failed(comm, "Request.Cancel", failure);
            }
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
        return Requests.waitAll(requests);
    }

    /**
     * Waits for one of the requests; null elements are skipped.
     *
     * @return the status of the one that completed, with its {@code index}; an empty one with the index
     *     {@link MPI#UNDEFINED} if there is none to wait for
     * @throws MPIException if the communication that ended has failed
     */
    public static Status Waitany(Request[] requests) throws MPIException {
        return Requests.waitAny(requests);
    }

    /**
     * Waits for at least one of the requests; null elements are skipped.
     *
     * @return the statuses of all that completed, each with its {@code index}; none if there is none to wait for
     * @throws MPIException if a communication that ended has failed
     */
    public static Status[] Waitsome(Request[] requests) throws MPIException {
        return Requests.some(requests, true);
    }

    /**
     * Completes one of the requests if that is possible without blocking; null elements are skipped.
     *
     * @return its status with its {@code index}; null if none is complete; an empty status with the index
     *     {@link MPI#UNDEFINED} if there is none to test
     * @throws MPIException if the communication that ended has failed
     */
    public static @Nullable Status Testany(Request[] requests) throws MPIException {
        return Requests.testAny(requests);
    }

    /**
     * Completes all requests if that is possible without blocking, or none of them; null elements are skipped.
     *
     * @return a status for each; null if one is not complete
     * @throws MPIException if a communication failed; as {@link #Waitall}
     */
    public static Status @Nullable [] Testall(Request[] requests) throws MPIException {
        return Requests.testAll(requests);
    }

    /**
     * Completes those requests that can be without blocking; null elements are skipped.
     *
     * @return their statuses, each with its {@code index}; possibly none
     * @throws MPIException if a communication that ended has failed
     */
    public static Status[] Testsome(Request[] requests) throws MPIException {
        return Requests.some(requests, false);
    }

    static DeviceException inactiveNeeded() {
        return Errors.wrong(
                ErrorClass.REQUEST, "the persistent request is active; wait for it before it is started again");
    }
}
