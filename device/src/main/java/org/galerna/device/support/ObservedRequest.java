package org.galerna.device.support;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Request;
import org.jspecify.annotations.Nullable;

/** Stands before a request, and notes in which call the program hears that it is done. */
public abstract class ObservedRequest implements Request {
    private final Request inner;
    private boolean noted;

    /** Stands before a request of the device. */
    protected ObservedRequest(Request inner) {
        this.inner = inner;
    }

    /** The request of the device. */
    protected final Request inner() {
        return inner;
    }

    /** The request has succeeded; called once. */
    protected abstract void succeeded();

    /** The request has failed, or was cancelled; called once. */
    protected void failed() {}

    /** Says once that the request is done, if it is. */
    private void note() {
        if (!noted && inner.isDone()) {
            noted = true;
            if (inner.hasSucceeded()) {
                succeeded();
            } else {
                failed();
            }
        }
    }

    /** {@link Device#awaitAny} of a device, where some of the requests stand before its own. */
    public static int awaitAny(Device device, @Nullable Request[] requests) {
        @Nullable Request[] inner = new Request[requests.length];
        for (int i = 0; i < inner.length; i++) {
            inner[i] = requests[i] instanceof ObservedRequest observed ? observed.inner : requests[i];
        }
        int done = device.awaitAny(inner);
        if (done >= 0 && requests[done] instanceof ObservedRequest observed) {
            observed.note();
        }
        return done;
    }

    @Override
    public final boolean isDone() {
        boolean done = inner.isDone();
        if (done) {
            note();
        }
        return done;
    }

    @Override
    public final boolean test() {
        boolean done = inner.test();
        if (done) {
            note();
        }
        return done;
    }

    @Override
    public final void await() {
        inner.await();
        note();
    }

    @Override
    public final void throwFailure() {
        inner.throwFailure();
    }

    @Override
    public final boolean hasSucceeded() {
        note();
        return inner.hasSucceeded();
    }

    @Override
    public final @Nullable DeviceException failure() {
        return inner.failure();
    }

    @Override
    public final boolean cancel() {
        return inner.cancel();
    }

    @Override
    public final void askToCancel() {
        inner.askToCancel();
    }

    @Override
    public final void hasten() {
        inner.hasten();
    }

    @Override
    public final boolean isCancelled() {
        return inner.isCancelled();
    }

    @Override
    public final boolean isInVain() {
        return inner.isInVain();
    }

    @Override
    public final void failIfInVain() {
        inner.failIfInVain();
    }

    @Override
    public final int source() {
        return inner.source();
    }

    @Override
    public final int tag() {
        return inner.tag();
    }

    @Override
    public final long length() {
        return inner.length();
    }

    @Override
    public final void release() {
        note();
        inner.release();
    }
}
