package org.galerna.applications.fdtd;

import org.galerna.applications.ProgramException;

/** A simulation cannot be set up as it was described; the message says where the description is wrong, and why. */
public final class ParameterException extends ProgramException {
    private static final long serialVersionUID = 1L;

    /** With a message for the person who wrote the description. */
    public ParameterException(String message) {
        super(message);
    }
}
