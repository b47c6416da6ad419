package org.galerna.messaging.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Responder;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver is told with a message. A request has a context of its own, so that a late answer can never go to another
 * request. Messages of one sender share one for each handler, which knows nothing but the sender.
 */
final class MessageContext implements Delivery {
    private static final VarHandle VALID;

    static {
        try {
            VALID = MethodHandles.lookup().findVarHandle(MessageContext.class, "valid", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int sender;
    private final @Nullable RequestResponder responder;
    private boolean answered;

    @SuppressWarnings("UnusedVariable") // through the handle: any thread may ask whether it is still valid
    private boolean valid;

    private MessageContext(int sender, @Nullable RequestResponder responder) {
        this.sender = sender;
        this.responder = responder;
    }

    /** Of messages of a node that are no requests. */
    static MessageContext ofMessages(int sender) {
        return new MessageContext(sender, null);
    }

    /** Of one request. */
    static MessageContext ofRequest(RequestResponder responder) {
        return new MessageContext(responder.requester(), responder);
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

    /** The request if the receiver has taken its responder and not answered yet; null otherwise. */
    @Nullable
    RequestResponder late() {
        RequestResponder asked = responder;
        return asked != null && answered && !asked.isAnswered() ? asked : null;
    }

    /** The receiver has thrown: the node that waits for an answer is told. */
    void failed(Throwable thrown) {
        RequestResponder asked = responder;
        if (asked != null) { // its responder may have been taken, and nobody may know any more that it is to answer
            answered = true;
            asked.failed(thrown);
        }
    }

    @Override
    public int sender() {
        check();
        return sender;
    }

    @Override
    public boolean isRequest() {
        check();
        return responder != null;
    }

    @Override
    public void respond(Object response) {
        responder().respond(response);
    }

    @Override
    public Responder responder() {
        check();
        RequestResponder asked = responder;
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
