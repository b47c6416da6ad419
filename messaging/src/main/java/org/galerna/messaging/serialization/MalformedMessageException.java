package org.galerna.messaging.serialization;

import org.galerna.link.CommunicationException;

/** Bytes that are no object of the type that they are said to be of. */
public final class MalformedMessageException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with them. */
    public MalformedMessageException(String message) {
        super(message);
    }
}
