package org.galerna.messaging;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** A message or a request has failed. The message names the node, the type and the cause. */
public class MessagingException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why something has failed. */
    public enum Reason {
        /** No connection could be opened, or it is gone. */
        UNREACHABLE,
        /** It took longer than it may. */
        TIMEOUT,
        /** The receiver has failed, and said so. */
        REMOTE,
        /** This node is closed. */
        CLOSED
    }

    /** A failure. */
    public MessagingException(Reason reason, String message) {
        this(reason, message, null);
    }

    /** A failure with its cause, if that is known. */
    public MessagingException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** What kind of failure it is. */
    public Reason reason() {
        return reason;
    }
}
