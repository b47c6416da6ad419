package org.galerna.messaging.dispatch;

import java.util.function.IntPredicate;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.Receiver;

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
        check(allowed.test(delivery.sender()), delivery, "send messages of type " + type);
        receiver.receive(message, delivery);
    }

    /** Fails unless a node may do something, and tells it so if it has asked. */
    public static void check(boolean allowed, Delivery delivery, String what) {
        if (!allowed) {
            String text = "node " + delivery.sender() + " may not " + what;
            if (delivery.isRequest()) {
                ((RequestResponder) delivery.responder()).fail(MessagingException.Reason.FORBIDDEN, text);
            }
            throw new SecurityException(text);
        }
    }
}
