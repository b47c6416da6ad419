package xdev;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** Root of the exceptions of {@code mpi}. */
public class XDevException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    /** A failure without a description. */
    public XDevException() {
        super("communication failed");
    }

    /** A failure described by {@code message}. */
    public XDevException(String message) {
        super(message);
    }

    /** A failure with the description of its cause. */
    public XDevException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }

    /** A failure described by {@code message} and caused by {@code cause}. */
    public XDevException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
