package org.galerna.messaging.dispatch;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.galerna.messaging.AsyncReceiver;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.Responder;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** Answers requests when the future completes that an {@link AsyncReceiver} has returned. */
public final class LateAnswers<T> implements Receiver<T> {
    private final WireType<?> type;
    private final AsyncReceiver<? super T> receiver;
    private final FailureLog failures;

    /** Of a receiver of a node. */
    public LateAnswers(FailureLog failures, WireType<?> type, AsyncReceiver<? super T> receiver) {
        this.failures = failures;
        this.type = type;
        this.receiver = receiver;
    }

    @Override
    public void receive(T message, Delivery delivery) throws Exception {
        int sender = delivery.sender();
        CompletionStage<?> later = receiver.receive(message, delivery);
        if (later == null) {
            throw new IllegalStateException("its receiver has returned null, not a future");
        }
        Responder responder = delivery.isRequest() ? delivery.responder() : null;
        CompletionStage<?> ignored =
                later.whenComplete((response, failure) -> end(sender, responder, response, failure));
    }

    private void end(
            int sender, @Nullable Responder responder, @Nullable Object response, @Nullable Throwable failure) {
        try {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                failures.report(
                        () -> "a message of node " + sender + " of type " + type + " was received, and failed later",
                        cause);
                if (responder != null) {
                    responder.fail(ThrownText.describe(cause));
                }
            } else if (responder != null) {
                if (response == null) {
                    responder.fail("the future of its receiver has completed with null");
                } else {
                    responder.respond(response);
                }
            }
        } catch (Throwable unanswered) { // the requester knows, or is gone
            failures.report(() -> "a request of node " + sender + " of type " + type + " was not answered", unanswered);
        }
    }
}
