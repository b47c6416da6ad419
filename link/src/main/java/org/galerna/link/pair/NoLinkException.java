package org.galerna.link.pair;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** The two sides have met, and no link connects them. The message says why each does not. */
public final class NoLinkException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    NoLinkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
