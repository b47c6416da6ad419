package org.galerna.mpi.request;

import org.galerna.device.DeviceException;
import org.galerna.device.Request;
import org.galerna.device.support.Compensation;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of an API are made of: a communication that has been started, or none. Waiting for it, or testing it
 * with success, completes it; then it is inactive. Any thread may use a request, one at a time.
 *
 * @param <S> class of the statuses
 */
public abstract class BaseRequest<S> {
    /** By its identity rather than its methods, so that what stays to be called is of one or two classes. */
    private static final Request COMPLETED_SEND = Request.COMPLETED_SEND;

    final Communicator comm;

    /** Operation of the device that is under way or done; null if there is none to wait for. */
    @Nullable
    Request operation;

    /** What is left to do after it; null if nothing is. */
    private @Nullable Stage stage;

    /** Whether the operation has the envelope of a message. */
    private boolean receive;

    /** An operation without more to do. */
    protected BaseRequest(Communicator comm, @Nullable Request operation, boolean receive) {
        this.comm = comm;
        this.operation = operation;
        this.receive = receive;
    }

    /** A request that {@link PointToPoint} or a {@link PersistentMessage} is to start. */
    protected BaseRequest(Communicator comm) {
        this(comm, null, false);
    }

    /** A collective operation. */
    protected BaseRequest(Communicator comm, Started started) {
        this(comm, started.operation(), false);
        this.stage = started.stage();
    }

    /** The statuses of the API. */
    protected abstract Statuses<S> statuses();

    /** Takes over what has been started; this is inactive. */
    final void begin(@Nullable Request started, @Nullable Stage after, boolean isReceive) {
        operation = started;
        stage = after;
        receive = isReceive;
    }

    /** As {@link #begin}, of what was over at once. */
    final void begin(Stage.Result result) {
        begin(null, new Stage.Done(result), false);
    }

    /**
     * Blocks until the communication is complete.
     *
     * @param call name of the call, for errors
     * @return its status; an empty one if the request is inactive
     */
    protected final S await(String call) {
        Request current = operation;
        if (current == null || stage != null) {
            return awaitStages(call);
        }
        if (current != COMPLETED_SEND) {
            try {
                current.await();
            } catch (RuntimeException failure) {
                throw failed(call, current, failure);
            }
        }
        return take();
    }

    private S awaitStages(String call) {
        try {
            return finish();
        } catch (RuntimeException failure) {
            throw comm.failed(call, failure);
        }
    }

    private RuntimeException failed(String call, Request failedOperation, RuntimeException failure) {
        if (failedOperation.isDone()) {
            operation = null;
            failedOperation.release();
        }
        return comm.failed(call, failure);
    }

    /**
     * Completes the communication if that is possible without blocking.
     *
     * @param call name of the call, for errors
     * @return its status, an empty one if the request is inactive; null if it is not complete
     */
    protected final @Nullable S test(String call) {
        try {
            if (advance(false) || endsInVain()) {
                return take();
            }
        } catch (RuntimeException failure) {
            throw comm.failed(call, failure);
        }
        Compensation.polledInVain();
        return null;
    }

    /** True if there is something to wait for. */
    protected final boolean isActive() {
        return operation != null || stage != null;
    }

    /** Gives the request up; the communication goes on, but nothing is unpacked any more. */
    protected final void forget() {
        operation = null;
        stage = null;
    }

    /**
     * Tries to cancel the communication, which still has to be waited for.
     *
     * @param call name of the call, for errors
     */
    protected final void cancel(String call) {
        Request current = operation;
        Stage after = stage;
        if (current == null) {
            return;
        }
        if (after == null) {
            current.askToCancel();
            return;
        }
        try {
            after.cancel(current);
        } catch (RuntimeException failure) {
            throw comm.failed(call, failure);
        }
    }

    /** Blocks until the communication is complete; failures are those of the device. */
    final S finish() {
        advance(true);
        return take();
    }

    /**
     * Goes on as far as possible.
     *
     * @param block whether to wait for the device
     * @return true if {@link #take} can end the request now
     */
    final boolean advance(boolean block) {
        Request current;
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
            Request following = null;
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

    private static void awaitQuietly(Request operation) {
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
        Request current = operation;
        return current != null && current.isInVain();
    }

    /** True if it cannot succeed any more, and {@link #take} tells why. */
    private boolean endsInVain() {
        Request current = operation;
        if (current == null) {
            return false;
        }
        current.failIfInVain();
        return current.isDone() && advance(false);
    }

    /** Ends a request of which {@link #advance} has said that it can be ended. */
    final S take() {
        Request done = operation;
        Stage after = stage;
        operation = null;
        stage = null;
        if (done == null) {
            return after == null ? statuses().empty() : statusOf(after);
        }
        if (done == COMPLETED_SEND) {
            return statuses().empty();
        }
        return done.hasSucceeded() ? succeeded(done) : unsuccessful(done, after);
    }

    private S succeeded(Request done) {
        S status = receive
                ? statuses().ofMessage(comm.rankOf(done.source()), done.tag(), done.length())
                : statuses().empty();
        done.release();
        return status;
    }

    /** Ends what is left to do, and says what it has brought. */
    private S statusOf(Stage after) {
        Stage.Result result = after.finish();
        if (result == Stage.Result.MESSAGE) {
            return statuses().ofMessage(comm.rankOf(after.source()), after.tag(), after.bytes());
        } else if (result == Stage.Result.OBJECTS) {
            return statuses().ofObjects(comm.rankOf(after.source()), after.tag(), after.objects());
        }
        return result == Stage.Result.NOTHING
                ? statuses().empty()
                : statuses().ofMessage(Group.NULL_PROCESS, PointToPoint.ANY_TAG, 0);
    }

    private S unsuccessful(Request done, @Nullable Stage after) {
        DeviceException failure = done.failure();
        done.release();
        if (failure == null) {
            if (after != null) {
                after.cancelled();
            }
            return statuses().ofCancelled();
        }
        if (after != null) {
            after.salvage(failure);
        }
        throw failure;
    }
}
