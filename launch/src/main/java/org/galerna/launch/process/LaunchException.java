package org.galerna.launch.process;

/** A job cannot be started as described; the message is one sentence for the person who wants to start it. */
public final class LaunchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    LaunchException(String reason) {
        super(reason);
        this.reason = reason;
    }

    LaunchException(String reason, Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** The message. */
    public String reason() {
        return reason;
    }
}
