package mpi;

import org.galerna.device.DeviceException;
import org.galerna.mpi.object.ObjectChannel;
import org.jspecify.annotations.Nullable;

/**
 * What a request still has to do when the device has done its part, for messages that are not sent as they lie in
 * memory. Used by the thread that waits for the request.
 */
abstract class Stage {
    /**
     * Takes note that an operation of the device has succeeded; the caller releases it.
     *
     * @return the next operation to wait for, or null if the message is complete
     */
    org.galerna.device.@Nullable Request next(org.galerna.device.Request done) {
        return null;
    }

    /** Brings a complete message to the program's buffer. */
    abstract Status finish(Comm comm);

    /** Saves what there is of a message that failed. */
    void salvage(DeviceException failure) {}

    /** Tries to cancel the message, of which this operation is under way. */
    void cancel(org.galerna.device.Request operation) {
        operation.askToCancel();
    }

    /** Takes note that the operation was cancelled. */
    void cancelled() {}

    /** A request that is over from the beginning. */
    static final class Done extends Stage {
        private final Status status;

        Done(Status status) {
            this.status = status;
        }

        @Override
        Status finish(Comm comm) {
            return status;
        }
    }

    /** A send of objects in two parts, whose first one alone is waited for. */
    static final class SentInParts extends Stage {
        private final ObjectChannel.Started message;

        SentInParts(ObjectChannel.Started message) {
            this.message = message;
        }

        @Override
        Status finish(Comm comm) {
            return new Status();
        }

        @Override
        void cancelled() {
            message.cancelRest();
        }
    }

    /** A request that failed between two operations of the device. */
    static final class Failed extends Stage {
        private final RuntimeException failure;

        Failed(RuntimeException failure) {
            this.failure = failure;
        }

        @Override
        Status finish(Comm comm) {
            throw failure;
        }
    }
}
