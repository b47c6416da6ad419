package org.galerna.link;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything that Galerna throws when communication fails. Messages name the rank, the peer, the operation
 * and the sizes, and say what to do where something can be done.
 */
public class CommunicationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure described by {@code message}. */
    public CommunicationException(String message) {
        super(message);
    }

    /** Whether it is a consequence of the end of another rank, which may be reported by itself. */
    public boolean isByLostPeer() {
        return false;
    }

    /** The collective that cannot end because a rank has ended without its part in it; null if it is something else. */
    public @Nullable MissedCollective missed() {
        return null;
    }

    /** A failure described by {@code message} and caused by {@code cause}. */
    public CommunicationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
