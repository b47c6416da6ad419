package org.galerna.messaging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where a message comes from, and how to answer it. Valid until the receiver returns: after that every method throws
 * {@link IllegalStateException}. Take the {@link #responder} to answer later.
 */
public final class Delivery {
    // A request has a delivery of its own, so that a late answer can never go to another request. Messages of one
    // sender
    // share one for each handler, which knows nothing but the sender.
    private static final VarHandle VALID;

    static {
        try {
            VALID = MethodHandles.lookup().findVarHandle(Delivery.class, "valid", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int sender;
    private final @Nullable Responder responder;
    private boolean answered;

    @SuppressWarnings("UnusedVariable") // through the handle: any thread may ask whether it is still valid
    private boolean valid;

    private Delivery(int sender, @Nullable Responder responder) {
        this.sender = sender;
        this.responder = responder;
    }

    /** Of messages of a node that are no requests. */
    static Delivery ofMessages(int sender) {
        return new Delivery(sender, null);
    }

    /** Of one request. */
    static Delivery ofRequest(Responder responder) {
        return new Delivery(responder.requester(), responder);
    }

    boolean isFrom(int node) {
        return sender == node;
    }

    void begin() {
        VALID.setRelease(this, true);
    }

    void end() {
        VALID.setRelease(this, false);
    }

    private void check() {
        if (!(boolean) VALID.getAcquire(this)) {
            throw new IllegalStateException("a delivery is valid only until its receiver returns: take its responder"
                    + " before that to answer later");
        }
    }

    /** The receiver has thrown: whoever waits for an answer is told. */
    void failed(Throwable thrown) {
        Responder asked = responder;
        if (asked != null && !answered) {
            answered = true;
            asked.failed(thrown);
        }
    }

    /** The node that has sent the message. */
    public int sender() {
        check();
        return sender;
    }

    /** Whether the sender waits for a response. */
    public boolean isRequest() {
        check();
        return responder != null;
    }

    /**
     * Answers the request. If the answer cannot be sent, the request fails at once.
     *
     * @throws IllegalStateException if it is no request, or answered already, or the receiver has returned
     * @throws IllegalArgumentException if the class of the answer has no type, or the answer is too long
     * @throws MessagingException if the sender is gone
     */
    public void respond(Object response) {
        responder().respond(response);
    }

    /**
     * Takes the answer over: to be given later, by any thread.
     *
     * @throws IllegalStateException if it is no request, or answered already, or the receiver has returned
     */
    public Responder responder() {
        check();
        Responder asked = responder;
        if (asked == null) {
            throw new IllegalStateException("node " + sender + " has not asked for a response");
        }
        if (answered) {
            throw new IllegalStateException("the request of node " + sender + " is answered already");
        }
        answered = true;
        return asked;
    }
}
