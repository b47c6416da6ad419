package org.galerna.device;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** A tagged-message operation failed; {@link #errorClass} says how, in MPI's terms. */
public final class DeviceException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    /** A failure of the given class. */
    public DeviceException(ErrorClass errorClass, String message) {
        this(errorClass, message, null);
    }

    /** A failure of the given class, with its cause. */
    public DeviceException(ErrorClass errorClass, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    /** The kind of failure. */
    public ErrorClass errorClass() {
        return errorClass;
    }
}
