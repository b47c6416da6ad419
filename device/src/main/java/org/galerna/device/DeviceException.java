package org.galerna.device;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** A tagged-message operation failed; {@link #errorClass} says how, in MPI's terms. */
public final class DeviceException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    /** Not the length of a message. */
    private static final long NONE = -1;

    private final ErrorClass errorClass;
    private final long sent;

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

    /** A message of so many bytes did not fit. */
    static DeviceException truncated(String message, long sent) {
        return new DeviceException(ErrorClass.TRUNCATE, message, null, sent);
    }

    /** Bytes of the message that did not fit; negative if that is not what has happened. */
    public long sent() {
        return sent;
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
