package org.galerna.messaging.dispatch;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.Responder;
import org.galerna.messaging.support.ThrownText;

/** Answers a request over the connection that it has come by. */
public final class RequestResponder implements Responder {
    private static final AtomicIntegerFieldUpdater<RequestResponder> ANSWERED =
            AtomicIntegerFieldUpdater.newUpdater(RequestResponder.class, "answered");

    private final Origin origin;
    private final long request;
    private final long deadline;

    @SuppressWarnings("UnusedVariable") // through the updater
    private volatile int answered;

    /**
     * For the request with this number.
     *
     * @param deadline when nobody waits for an answer any more, as of {@link System#nanoTime}
     */
    public RequestResponder(Origin origin, long request, long deadline) {
        this.origin = origin;
        this.request = request;
        this.deadline = deadline;
    }

    boolean isAnswered() {
        return answered != 0;
    }

    boolean isOver(long now) {
        return now - deadline > 0;
    }

    /** Whether the request has come by this connection. */
    public boolean isFrom(Origin one) {
        return origin == one;
    }

    @Override
    public int requester() {
        return origin.peer();
    }

    @Override
    public void respond(Object response) {
        once();
        try {
            origin.respond(request, Objects.requireNonNull(response, "a response is never null"));
        } catch (MessagingException gone) {
            throw gone; // there is no way to tell anything
        } catch (Throwable failed) {
            tell(MessagingException.Reason.UNANSWERABLE, failed);
            throw failed;
        }
    }

    @Override
    public void fail(String reason) {
        fail(MessagingException.Reason.REMOTE, reason);
    }

    /** Lets the request fail for a reason that the requester is told. */
    public void fail(MessagingException.Reason kind, String text) {
        once();
        origin.respondFailure(request, kind, text);
    }

    /** Lets the request fail because something was thrown, unless it is answered. Throws nothing. */
    void failed(Throwable thrown) {
        if (ANSWERED.compareAndSet(this, 0, 1)) {
            origin.late().remove(this);
            tell(MessagingException.Reason.REMOTE, thrown);
        }
    }

    private void tell(MessagingException.Reason kind, Throwable thrown) {
        try {
            origin.respondFailure(request, kind, ThrownText.describe(thrown));
        } catch (Throwable gone) {
            // then the request fails with its connection, or by its time limit
        }
    }

    private void once() {
        if (!ANSWERED.compareAndSet(this, 0, 1)) {
            throw new IllegalStateException("the request of node " + requester() + " is answered already");
        }
        origin.late().remove(this);
    }
}
