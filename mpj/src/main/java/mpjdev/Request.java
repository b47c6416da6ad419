package mpjdev;

import org.galerna.device.support.Compensation;
import org.jspecify.annotations.Nullable;

/** An operation of a device that {@code mpi.Request} can wait for. */
public class Request {
    private final org.galerna.device.Request operation;
    private boolean released;

    /** A request for an operation that has been started and not been released. */
    public Request(org.galerna.device.Request operation) {
        this.operation = operation;
    }

    /** The operation of the device. */
    public org.galerna.device.Request operation() {
        return operation;
    }

    /**
     * Blocks until the operation is done; its source is a rank of the job.
     *
     * @throws org.galerna.device.DeviceException if it failed
     */
    public Status iwait() {
        operation.await();
        return end();
    }

    /** The envelope if the operation is done, or else null. */
    public @Nullable Status itest() {
        if (!isOver(operation)) {
            Compensation.polledInVain();
            return null;
        }
        operation.throwFailure();
        return end();
    }

    /** Looks once whether an operation is done, or can never be: then it has failed. */
    static boolean isOver(org.galerna.device.Request operation) {
        if (!operation.test()) {
            operation.failIfInVain();
        }
        return operation.isDone();
    }

    /** The operation has been given back by somebody else. */
    final void released() {
        released = true;
    }

    private Status end() {
        Status status = new Status(operation.source(), operation.tag(), 0);
        free();
        return status;
    }

    /** Gives a done operation back to the device; no effect the second time. */
    public void free() {
        if (!released && operation.isDone()) {
            released = true;
            operation.release();
        }
    }

    /** True if the operation has been given back. */
    public boolean isnull() {
        return released;
    }

    /** Tries to cancel; true if the operation will not take place. */
    public boolean cancel() {
        return operation.cancel();
    }
}
