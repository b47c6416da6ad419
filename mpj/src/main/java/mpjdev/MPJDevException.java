package mpjdev;

import org.jspecify.annotations.Nullable;
import xdev.XDevException;

/** Parent of {@code mpi.MPIException}. */
public class MPJDevException extends XDevException {
    private static final long serialVersionUID = 1L;

    /** A failure without a description. */
    public MPJDevException() {}

    /** A failure described by {@code message}. */
    public MPJDevException(String message) {
        super(message);
    }

    /** A failure with the description of its cause. */
    public MPJDevException(Throwable cause) {
        super(cause);
    }

    /** A failure described by {@code message} and caused by {@code cause}. */
    public MPJDevException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
