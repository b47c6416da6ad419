package org.galerna.applications.nas;

import org.galerna.applications.ProgramException;

/** What was asked for cannot be done; the message says what to change. */
public final class NasException extends ProgramException {
    private static final long serialVersionUID = 1;

    /** With one line for the user. */
    NasException(String message) {
        super(message);
    }
}
