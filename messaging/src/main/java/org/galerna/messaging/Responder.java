package org.galerna.messaging;

import java.util.concurrent.atomic.AtomicBoolean;

/** The answer that a request still waits for. May be given by any thread, once. */
public final class Responder {
    private final Connection connection;
    private final long request;
    private final AtomicBoolean answered = new AtomicBoolean();

    Responder(Connection connection, long request) {
        this.connection = connection;
        this.request = request;
    }

    /** The node that has asked. */
    public int requester() {
        return connection.peer();
    }

    /**
     * Answers.
     *
     * @throws IllegalStateException if it is answered already
     * @throws MessagingException if the requester is gone
     */
    public void respond(Object response) {
        once();
        connection.respond(request, response);
    }

    /** Lets the request fail with this text. */
    public void fail(String reason) {
        once();
        connection.respondFailure(request, reason);
    }

    private void once() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request of node " + requester() + " is answered already");
        }
    }
}
