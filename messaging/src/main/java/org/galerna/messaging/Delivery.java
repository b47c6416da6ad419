package org.galerna.messaging;

import org.jspecify.annotations.Nullable;

/** Where a message comes from, and how to answer it. Of a handler thread; valid until the receiver returns. */
public final class Delivery {
    private @Nullable Connection connection;
    private long request;
    private boolean isRequest;
    private boolean answered;

    Delivery() {}

    void begin(Connection from, boolean asked, long id) {
        connection = from;
        isRequest = asked;
        request = id;
        answered = false;
    }

    boolean isUnanswered() {
        return isRequest && !answered;
    }

    private Connection connection() {
        Connection from = connection;
        if (from == null) {
            throw new IllegalStateException("a delivery is valid only until its receiver returns");
        }
        return from;
    }

    void end() {
        connection = null;
    }

    /** The node that has sent the message. */
    public int sender() {
        return connection().peer();
    }

    /** Whether the sender waits for a response. */
    public boolean isRequest() {
        return isRequest;
    }

    /**
     * Answers the request.
     *
     * @throws IllegalStateException if it is no request, or answered already
     * @throws MessagingException if the sender is gone
     */
    public void respond(Object response) {
        responder().respond(response);
    }

    /** Takes the answer over: to be given later, by any thread. */
    public Responder responder() {
        Connection to = connection();
        if (!isRequest) {
            throw new IllegalStateException("node " + to.peer() + " has not asked for a response");
        }
        if (answered) {
            throw new IllegalStateException("the request of node " + to.peer() + " is answered already");
        }
        answered = true;
        return new Responder(to, request);
    }
}
