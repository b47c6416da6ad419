package org.galerna.messaging;

import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/** A message or a request has failed. The message names the node, the type and the cause. */
public class MessagingException extends CommunicationException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why something has failed. */
    public enum Reason {
        /** The address of the other node names a host that nobody knows, all through the time to connect. */
        UNKNOWN_HOST,
        /**
         * The other node does not answer at its address, or the connection to it has ended. A message or request that was
         * under way may have been received, or not.
         */
        UNREACHABLE,
        /** What answers at the other node's address does not know the key of this cluster. Told at once. */
        WRONG_KEY,
        /**
         * The other node speaks another version of the protocol of Galerna, or messages of this type or stream, arguments or
         * results of this method are laid out otherwise there: one of both has to be updated. Told at once.
         */
        INCOMPATIBLE,
        /** A node of this one's number was started later, and the other node knows that one. Told at once. */
        REPLACED,
        /** It took longer than it may, or the thread was interrupted while it waited. */
        TIMEOUT,
        /** The receiver of the request has thrown, or the response cannot be read here; the message says what it was. */
        REMOTE,
        /**
         * The receiver's response cannot be sent: its class has no type at that node, it is longer than a message may be, its
         * serializer has thrown, or it is laid out otherwise here. Told at once.
         */
        UNANSWERABLE,
        /** The other node offers no such service, method or stream: it was not started with it, or with another signature. */
        NOT_OFFERED,
        /**
         * There are as many requests as there may be: too many under way from this node to the other one, or too many that the
         * other one is to answer later. Told at once.
         */
        OVERLOADED,
        /** The other node's {@link Authorization} does not let this node send that type, call that service or subscribe. */
        FORBIDDEN,
        /** This node is closed, or being closed. */
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
