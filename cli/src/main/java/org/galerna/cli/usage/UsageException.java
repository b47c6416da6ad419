package org.galerna.cli.usage;

/** The person at the keyboard asked for something that cannot be; the message is one line for them. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
