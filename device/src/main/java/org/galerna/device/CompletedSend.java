package org.galerna.device;

import org.jspecify.annotations.Nullable;

/** The request of a send that was complete when its call returned. Holds nothing, so one serves all. */
public class CompletedSend implements Request {
    static final CompletedSend INSTANCE = new CompletedSend();

    /** For devices that have to do something more when somebody waits. */
    protected CompletedSend() {}

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public boolean test() {
        return true;
    }

    @Override
    public void await() {
        // done
    }

    @Override
    public void throwFailure() {
        // succeeded
    }

    @Override
    public boolean hasSucceeded() {
        return true;
    }

    @Override
    public @Nullable DeviceException failure() {
        return null;
    }

    @Override
    public boolean isInVain() {
        return false;
    }

    @Override
    public void failIfInVain() {
        // succeeded
    }

    @Override
    public void askToCancel() {
        // too late
    }

    @Override
    public void hasten() {
        // done
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public int source() {
        return Device.ANY_SOURCE;
    }

    @Override
    public int tag() {
        return Device.ANY_TAG;
    }

    @Override
    public long length() {
        return 0;
    }

    @Override
    public void release() {
        // nothing to give back
    }
}
