package org.galerna.device.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.Waited;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of every device have in common: how they end, and how they are waited for. Results are written before the
 * release store of {@code state}, by whoever completes the request, and read after an acquire load of it. What is not in
 * {@link Request} is for the device alone.
 */
public abstract class PendingRequest implements Request, Waited {
    private static final VarHandle STATE;

    /** How long a peer may take to answer by itself. */
    private static final long FIRST_ROUSE_NANOS = 1_000_000;

    /** After this time it is asked once more. */
    private static final long ROUSE_NANOS = 50_000_000;

    private static final int PENDING = 0;
    private static final int SUCCEEDED = 1;
    private static final int FAILED = 2;
    private static final int CANCELLED = 3;
    private static final int RELEASED = 4;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(PendingRequest.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final ProgressLoop progress;

    @SuppressWarnings("UnusedVariable") // read through STATE
    private int state;

    /**
     * Whether whoever waits for this need not wait for calls of the peer any more, which is roused instead. Set under a lock
     * of the device, which a thread that goes to sleep has held since.
     */
    private boolean hastened;

    private long rouseAt; // of the waiting thread, once it is hastened

    private @Nullable DeviceException failure;

    /** A request that is pending. */
    protected PendingRequest(ProgressLoop progress) {
        this.progress = progress;
    }

    /** Makes the request pending again; by its new owner, before anybody else can reach it. */
    public final void restart() {
        hastened = false;
        STATE.setOpaque(this, PENDING);
    }

    /** The operation has succeeded. */
    public final void complete() {
        STATE.setRelease(this, SUCCEEDED);
    }

    /** The operation has failed. */
    public final void fail(DeviceException reason) {
        failure = reason;
        STATE.setRelease(this, FAILED);
    }

    /** The operation has been cancelled. */
    public final void completeCancelled() {
        STATE.setRelease(this, CANCELLED);
    }

    /** Gives the request back; the last thing that its owner does with it. */
    public final void markReleased() {
        if (state() == FAILED) {
            failure = null;
        }
        STATE.setRelease(this, RELEASED);
    }

    /** Whether it has been given back, so that it can be used again. */
    public final boolean isReleased() {
        return state() == RELEASED;
    }

    private int state() {
        return (int) STATE.getAcquire(this);
    }

    @Override
    public final boolean isDone() {
        return state() != PENDING;
    }

    @Override
    public final boolean test() {
        if (isDone()) {
            return true;
        }
        progress.make();
        if (isDone()) {
            return true;
        }
        if (hastened) {
            rouse(0);
        }
        return false;
    }

    @Override
    public final void hasten() {
        if (!hastened) {
            rouseAt = System.nanoTime() + FIRST_ROUSE_NANOS;
            hastened = true;
        }
    }

    /** Whether {@link #hasten} has been called. */
    public final boolean isHastened() {
        return hastened;
    }

    @Override
    public final void aboutToSleep() {
        if (hastened && !isDone()) {
            rouse(FIRST_ROUSE_NANOS);
        }
    }

    private void rouse(long early) {
        long now = System.nanoTime();
        if (now + early - rouseAt >= 0) {
            rouseAt = now + ROUSE_NANOS;
            progress.rouse(movedBy());
        }
    }

    /** The rank that has to move for this to go on. */
    protected int movedBy() {
        return awaitedPeer();
    }

    @Override
    public final void await() {
        if (state() != SUCCEEDED) {
            progress.await(this);
            throwFailure();
        }
    }

    @Override
    public final void throwFailure() {
        DeviceException reason = failure();
        if (reason != null) {
            throw reason;
        }
    }

    @Override
    public final boolean hasSucceeded() {
        return state() == SUCCEEDED;
    }

    @Override
    public final @Nullable DeviceException failure() {
        return state() == FAILED ? failure : null;
    }

    /**
     * Whether it is pending, and nobody is left who could bring it about.
     *
     * @param alone whether the calling thread is about to sleep until then, so that it will not do so itself
     */
    protected boolean isHopeless(boolean alone) {
        return false;
    }

    @Override
    public final boolean isInVain() {
        DeviceException reason = failure();
        if (reason == null) {
            return isHopeless(false);
        }
        return reason.errorClass() == ErrorClass.PROC_FAILED
                && progress.membership().hasLeftInOrder(awaitedPeer());
    }

    @Override
    public void failIfInVain() {
        // what waits for a peer otherwise fails when the peer leaves
    }

    @Override
    public final boolean isCancelled() {
        return state() == CANCELLED;
    }

    /** Fails unless the operation is done; for {@link #release}. */
    protected final void requireDone() {
        if (!isDone()) {
            throw new IllegalStateException("only a request that is done can be released: " + operation());
        }
    }
}
