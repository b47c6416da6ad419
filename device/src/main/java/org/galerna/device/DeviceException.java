package org.galerna.device;

import org.galerna.link.CommunicationException;
import org.galerna.link.MissedCollective;
import org.jspecify.annotations.Nullable;

/** A tagged-message operation failed; {@link #errorClass} says how, in MPI's terms. */
public final class DeviceException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    /** Not the length of a message. */
    private static final long NONE = -1;

    private final ErrorClass errorClass;
    private final long sent;

    /** The rank that is gone; negative if that is not what has happened, or if it was killed. */
    private int leaver = Device.ANY_SOURCE;

    private boolean leaverFinished;
    private transient @Nullable MissedCollective missed;

    /** A failure of the given class. */
    public DeviceException(ErrorClass errorClass, String message) {
        this(errorClass, message, null);
    }

    /** A failure of the given class, with its cause. */
    public DeviceException(ErrorClass errorClass, String message, @Nullable Throwable cause) {
        this(errorClass, message, cause, NONE);
    }

    private DeviceException(ErrorClass errorClass, String message, @Nullable Throwable cause, long sent) {
        super(message, cause);
        this.errorClass = errorClass;
        this.sent = sent;
    }

    /** A message did not fit; its first bytes are in the buffer. */
    public static DeviceException truncated(int rank, int source, int tag, long sent, long capacity) {
        return new DeviceException(
                ErrorClass.TRUNCATE,
                "rank " + rank + " received a message of " + sent + " bytes from rank " + source + " with tag " + tag
                        + " into a buffer of " + capacity + " bytes; the first " + capacity
                        + " bytes are in the buffer",
                null,
                sent);
    }

    /** Bytes of the message that did not fit; negative if that is not what has happened. */
    public long sent() {
        return sent;
    }

    /** A rank is gone that has ended by itself. */
    public static DeviceException left(String message, int rank, boolean finished) {
        DeviceException failure = new DeviceException(ErrorClass.PROC_FAILED, message);
        failure.leaver = rank;
        failure.leaverFinished = finished;
        return failure;
    }

    /** A collective cannot end, because a rank has ended without its part in it. */
    public static DeviceException missed(String message, MissedCollective missed, Throwable cause) {
        DeviceException failure = new DeviceException(ErrorClass.PROC_FAILED, message, cause);
        failure.missed = missed;
        return failure;
    }

    /** The rank that has ended by itself, for which this was waiting; negative if it is something else. */
    public int leaver() {
        return leaver;
    }

    /** Whether the {@link #leaver} had finished. */
    public boolean leaverFinished() {
        return leaverFinished;
    }

    @Override
    public @Nullable MissedCollective missed() {
        return missed;
    }

    @Override
    public boolean isByLostPeer() {
        return errorClass == ErrorClass.PROC_FAILED;
    }

    /** The kind of failure. */
    public ErrorClass errorClass() {
        return errorClass;
    }
}
