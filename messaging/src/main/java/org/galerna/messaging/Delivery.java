package org.galerna.messaging;

/**
 * Where a message comes from, and how to answer it. Valid until the receiver returns: after that every method throws
 * {@link IllegalStateException}. Take the {@link #responder} to answer later.
 */
public interface Delivery {
    /** The node that has sent the message. */
    int sender();

    /** Whether the sender waits for a response. */
    boolean isRequest();

    /**
     * Answers the request. If the answer cannot be sent, the request fails at once.
     *
     * @throws IllegalStateException if it is no request, or answered already, or the receiver has returned
     * @throws IllegalArgumentException if the class of the answer has no type, or the answer is too long
     * @throws MessagingException if the sender is gone
     */
    void respond(Object response);

    /**
     * Takes the answer over: to be given later, by any thread.
     *
     * @throws IllegalStateException if it is no request, or answered already, or the receiver has returned
     */
    Responder responder();
}
