package org.galerna.applications;

/** A program cannot do what it was asked for; the message says what to change. */
public class ProgramException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With the line for the user. */
    public ProgramException(String message) {
        super(message);
    }
}
