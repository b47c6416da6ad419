package mpjbuf;

/** A buffer was used in the wrong order, or has no room or no data for what was asked. */
public class BufferException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A failure without a description. */
    public BufferException() {}

    /** A failure described by {@code message}. */
    public BufferException(String message) {
        super(message);
    }

    /** A failure described by {@code message} and caused by {@code cause}. */
    public BufferException(String message, Throwable cause) {
        super(message, cause);
    }
}
