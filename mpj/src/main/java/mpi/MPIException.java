package mpi;

import mpjdev.MPJDevException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * An MPI call failed. The message names the rank, the call, its arguments and what would be valid; {@link #errorClass}
 * is the error class of MPI. The program may catch it and go on: buffers hold what arrived before, and nothing else.
 */
public class MPIException extends MPJDevException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    /** A failure without a description. */
    public MPIException() {
        this.errorClass = ErrorClass.OTHER;
    }

    /** A failure described by {@code message}. */
    public MPIException(String message) {
        this(ErrorClass.OTHER, message, null);
    }

    /** A failure with the description of its cause. */
    public MPIException(Throwable cause) {
        super(cause);
        this.errorClass = Errors.classOf(cause);
    }

    /** A failure of an error class, described by {@code message} and possibly caused by {@code cause}. */
    public MPIException(ErrorClass errorClass, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    /** The kind of failure, as MPI 1.1 §7.3 names it. */
    public ErrorClass errorClass() {
        return errorClass;
    }
}
