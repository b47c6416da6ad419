package org.galerna.messaging.dispatch;

import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.support.ThrownText;
import org.jspecify.annotations.Nullable;

/** Receives what its sender may send. */
public final class Guarded<T> implements Receiver<T> {
    private final Receiver<? super T> receiver;
    private final IntPredicate allowed;
    private final String type;

    /** Of a type; asks for each message whether its sender may send it. */
    public Guarded(Receiver<? super T> receiver, IntPredicate allowed, String type) {
        this.receiver = receiver;
        this.allowed = allowed;
        this.type = type;
    }

    @Override
    public void receive(T message, Delivery delivery) throws Exception {
        boolean may;
        try {
            may = allowed.test(delivery.sender());
        } catch (Throwable thrown) {
            throw refused(delivery, toSend(), thrown);
        }
        if (!may) {
            throw refused(delivery, toSend(), null);
        }
        receiver.receive(message, delivery);
    }

    private String toSend() {
        return "send messages of type " + type;
    }

    /** Fails unless a node may do something, and tells it so if it has asked. */
    public static void check(BooleanSupplier decision, Delivery delivery, String what) {
        boolean may;
        try {
            may = decision.getAsBoolean();
        } catch (Throwable thrown) {
            throw refused(delivery, what, thrown);
        }
        if (!may) {
            throw refused(delivery, what, null);
        }
    }

    /** What is thrown goes to the log of this node; the other one hears only that it may not. */
    private static SecurityException refused(Delivery delivery, String what, @Nullable Throwable thrown) {
        String text = "node " + delivery.sender() + " may not " + what;
        if (delivery.isRequest()) {
            ((RequestResponder) delivery.responder()).fail(MessagingException.Reason.FORBIDDEN, text);
        }
        return new SecurityException(
                thrown == null ? text : text + ": the authorization has thrown " + ThrownText.describe(thrown), thrown);
    }
}
