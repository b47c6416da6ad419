package org.galerna.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What sends and receives have in common. Results are written before the release store of {@code done}, by whoever
 * completes the request, and read after an acquire load of it.
 */
abstract sealed class PendingRequest implements Request, Waited permits SendRequest, ReceiveRequest {
    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(PendingRequest.class, "done", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final MatchingDevice device;
    int peer;
    int tag;
    long length;

    @SuppressWarnings("UnusedVariable") // read through DONE
    private boolean done;

    private boolean cancelled;
    private @Nullable DeviceException failure;

    PendingRequest(MatchingDevice device) {
        this.device = device;
    }

    /** Makes the request pending again; by its new owner, before anybody else can reach it. */
    final void restart() {
        cancelled = false;
        failure = null;
        DONE.setOpaque(this, false);
    }

    final void complete() {
        DONE.setRelease(this, true);
    }

    final void fail(DeviceException reason) {
        failure = reason;
        complete();
    }

    final void completeCancelled() {
        cancelled = true;
        complete();
    }

    @Override
    public final boolean isDone() {
        return (boolean) DONE.getAcquire(this);
    }

    @Override
    public final boolean test() {
        if (isDone()) {
            return true;
        }
        device.progress();
        return isDone();
    }

    @Override
    public final void await() {
        device.await(this);
        throwFailure();
    }

    @Override
    public final void throwFailure() {
        DeviceException reason = failure();
        if (reason != null) {
            throw reason;
        }
    }

    @Override
    public final @Nullable DeviceException failure() {
        return isDone() ? failure : null;
    }

    @Override
    public final boolean isCancelled() {
        return isDone() && cancelled;
    }

    @Override
    public final int source() {
        return peer;
    }

    @Override
    public final int tag() {
        return tag;
    }

    @Override
    public final long length() {
        return length;
    }

    final void requireDone() {
        if (!isDone()) {
            throw new IllegalStateException("only a request that is done can be released: " + operation());
        }
    }
}
