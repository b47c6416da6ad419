package org.galerna.messaging;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** The answer that a request still waits for. May be given by any thread, once. */
public final class Responder {
    private static final AtomicIntegerFieldUpdater<Responder> ANSWERED =
            AtomicIntegerFieldUpdater.newUpdater(Responder.class, "answered");

    private final Connection connection;
    private final long request;

    @SuppressWarnings("UnusedVariable") // through the updater
    private volatile int answered;

    Responder(Connection connection, long request) {
        this.connection = connection;
        this.request = request;
    }

    /** The node that has asked. */
    public int requester() {
        return connection.peer();
    }

    /**
     * Answers. If the answer cannot be sent, because its class has no type, it is too long or its serializer throws, the
     * request fails at once, and the same is thrown here.
     *
     * @throws IllegalStateException if it is answered already
     * @throws IllegalArgumentException if the class of the answer has no type, or the answer is too long
     * @throws MessagingException if the requester is gone
     */
    public void respond(Object response) {
        once();
        try {
            connection.respond(request, Objects.requireNonNull(response, "a response is never null"));
        } catch (MessagingException gone) {
            throw gone; // there is no way to tell anything
        } catch (Throwable failed) {
            tell(failed);
            throw failed;
        }
    }

    /** Lets the request fail with this text, which is cut if it is very long. */
    public void fail(String reason) {
        once();
        connection.respondFailure(request, reason);
    }

    /** Lets the request fail because something was thrown, unless it is answered. Throws nothing. */
    void failed(Throwable thrown) {
        if (ANSWERED.compareAndSet(this, 0, 1)) {
            tell(thrown);
        }
    }

    private void tell(Throwable thrown) {
        try {
            connection.respondFailure(request, Thrown.describe(thrown));
        } catch (Throwable gone) {
            // then the request fails with its connection, or by its time limit
        }
    }

    private void once() {
        if (!ANSWERED.compareAndSet(this, 0, 1)) {
            throw new IllegalStateException("the request of node " + requester() + " is answered already");
        }
    }
}
