package org.galerna.messaging.stream;

import java.util.concurrent.Flow;
import org.galerna.messaging.dispatch.Origin;
import org.galerna.messaging.dispatch.RequestResponder;
import org.galerna.messaging.node.Sender;
import org.galerna.messaging.stream.StreamMessages.Cancel;
import org.galerna.messaging.stream.StreamMessages.End;
import org.galerna.messaging.stream.StreamMessages.Item;
import org.galerna.messaging.stream.StreamMessages.Opened;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.ThrownText;
import org.jspecify.annotations.Nullable;

/** A stream at the node that publishes: sends what the publisher gives, as much as the other node has asked for. */
final class Outflow implements Flow.Subscriber<Object> {
    private final Sender sender;
    private final long stream;
    private final RequestResponder responder;
    private final FailureLog failures;
    private final Runnable ended;
    private long sent; // by the publisher, one call after the other

    // guarded by this
    private Flow.@Nullable Subscription subscription;
    private long asked;
    private boolean over;

    Outflow(Sender sender, long stream, RequestResponder responder, FailureLog failures, Runnable ended) {
        this.sender = sender;
        this.stream = stream;
        this.responder = responder;
        this.failures = failures;
        this.ended = ended;
    }

    /** Whether it goes over this connection. */
    boolean isOver(Origin connection) {
        return responder.isFrom(connection);
    }

    private int subscriber() {
        return responder.requester();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        synchronized (this) {
            if (subscription != null || over) {
                given.cancel();
                return;
            }
            subscription = given;
        }
        try {
            sender.send(subscriber(), new Opened(stream));
            sender.flush();
        } catch (RuntimeException gone) {
            cancel();
        }
    }

    /** The other node has asked for so many since the beginning. Any thread. */
    void demand(long total) {
        long more;
        Flow.Subscription known;
        synchronized (this) {
            known = subscription;
            more = total - asked;
            if (known == null || over || more <= 0) {
                return;
            }
            asked = total;
        }
        known.request(more);
    }

    @Override
    public void onNext(Object message) {
        if (isOver()) {
            return;
        }
        try {
            sender.send(subscriber(), new Item(stream, sent, message));
            sent++;
        } catch (RuntimeException
                | Error failed) { // no type, too long, its serializer throws, or the other one is gone
            stop();
            end(ThrownText.describe(failed));
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    @Override
    public void onError(Throwable failure) {
        end(ThrownText.describe(failure));
    }

    @Override
    public void onComplete() {
        end(null);
    }

    /** Ends the stream, once. */
    void end(@Nullable String failure) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        ended.run();
        try {
            sender.flush();
            responder.respond(new End(sent, failure));
        } catch (RuntimeException gone) {
            // then the stream has ended with the connection
        }
    }

    private void stop() {
        Flow.Subscription known;
        synchronized (this) {
            known = subscription;
        }
        try {
            if (known != null) {
                known.cancel();
            }
        } catch (Throwable thrown) { // the stream ends all the same
            failures.report(() -> "a publisher of a stream to node " + subscriber() + " has thrown", thrown);
        }
    }

    /** Nobody wants any more of it. Any thread. */
    void cancel() {
        stop();
        end(Cancel.class.getSimpleName());
    }

    /** This node is about to end. */
    void close(String reason) {
        stop();
        end(reason);
    }
}
