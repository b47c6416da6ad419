package org.galerna.cli;

/** The person at the keyboard asked for something that cannot be; the message is one line for them. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
