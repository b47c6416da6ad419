package org.galerna.profile.record;

import org.galerna.device.DeviceException;
import org.galerna.device.Request;
import org.jspecify.annotations.Nullable;

/** Notes in which call the program hears that a request is done. */
abstract class RecordedRequest implements Request {
    private final Request inner;
    private boolean noted;

    RecordedRequest(Request inner) {
        this.inner = inner;
    }

    /** The request of the device. */
    final Request inner() {
        return inner;
    }

    /** The request has succeeded; called once. */
    abstract void succeeded();

    /** Says once that the request is done, if it is. */
    final void note() {
        if (!noted && inner.isDone()) {
            noted = true;
            if (inner.hasSucceeded()) {
                succeeded();
            }
        }
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
