package org.galerna.launch.program;

import org.jspecify.annotations.Nullable;

/** The program cannot be started; the message is one sentence for the person who wants to start it. */
public final class ProgramException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /** A program that cannot be started, for the reason in {@code message}. */
    public ProgramException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = message;
    }

    /** A program that cannot be started, for the reason in {@code message}. */
    public ProgramException(String message) {
        this(message, null);
    }

    /** The message. */
    public String reason() {
        return reason;
    }
}
