package org.galerna.bench.suite;

/** A contender cannot be started, has ended, or does not answer; the message is one line that says which and why. */
public final class ContenderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the line. */
    public ContenderException(String message) {
        super(message);
    }

    /** With the line, and what it rests on. */
    public ContenderException(String message, Throwable cause) {
        super(message, cause);
    }
}
