package org.galerna.mpi.request;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Request;
import org.galerna.mpi.object.ObjectChannel;
import org.jspecify.annotations.Nullable;

/**
 * What a request still has to do when the device has done its part, for messages that are not sent as they lie in
 * memory. Used by the thread that waits for the request.
 */
public abstract class Stage {
    /** Something left to do. */
    protected Stage() {}

    /**
     * Takes note that an operation of the device has succeeded; the caller releases it.
     *
     * @return the next operation to wait for, or null if the message is complete
     */
    public @Nullable Request next(Request done) {
        return null;
    }

    /** What a request that is over has brought. */
    public enum Result {
        /** No message: it was a send. */
        NOTHING,
        /** The message of nobody. */
        OF_NOBODY,
        /** A message with a {@link #source}, a {@link #tag} and {@link #bytes}. */
        MESSAGE,
        /** A message of {@link #objects}, with a source and a tag. */
        OBJECTS
    }

    /** Brings a complete message to the program's buffer. */
    public abstract Result finish();

    /** Rank in the job that has sent the message. */
    public int source() {
        return Device.ANY_SOURCE;
    }

    /** Tag of the message. */
    public int tag() {
        return Device.ANY_TAG;
    }

    /** Its length. */
    public long bytes() {
        return 0;
    }

    /** Number of objects in it. */
    public int objects() {
        return 0;
    }

    /** Saves what there is of a message that failed. */
    public void salvage(DeviceException failure) {}

    /** Tries to cancel the message, of which this operation is under way. */
    public void cancel(Request operation) {
        operation.askToCancel();
    }

    /** Takes note that the operation was cancelled. */
    public void cancelled() {}

    /** A request that is over from the beginning. */
    public static final class Done extends Stage {
        private final Result result;

        /** A request with this result, of which there is no more to say. */
        public Done(Result result) {
            this.result = result;
        }

        @Override
        public Result finish() {
            return result;
        }
    }

    /** A send of objects in two parts, whose first one alone is waited for. */
    public static final class SentInParts extends Stage {
        private final ObjectChannel.Started message;

        /** A send of which the second part is under way, too. */
        public SentInParts(ObjectChannel.Started message) {
            this.message = message;
        }

        @Override
        public Result finish() {
            return Result.NOTHING;
        }

        @Override
        public void cancelled() {
            message.cancelRest();
        }
    }

    /** A request that failed between two operations of the device. */
    public static final class Failed extends Stage {
        private final RuntimeException failure;

        /** A request that ends with this failure. */
        public Failed(RuntimeException failure) {
            this.failure = failure;
        }

        @Override
        public Result finish() {
            throw failure;
        }
    }
}
