package org.galerna.messaging.dispatch;

import java.util.function.Supplier;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Handling;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** How one handler thread receives messages of one type: all that it needs, found once. */
public final class ReceiverBinding<T> {
    private final Serializer<T> serializer;
    private final Receiver<? super T> receiver;
    private final @Nullable T reused;
    private final boolean virtual;

    public ReceiverBinding(Registration<T> registration) {
        Supplier<T> reusable = registration.type().reusable();
        this.serializer = registration.type().serializer();
        this.receiver = registration.receiver();
        this.virtual = registration.handling() == Handling.VIRTUAL;
        this.reused = reusable == null ? null : reusable.get();
    }

    /** Whether each message has a virtual thread of its own. */
    boolean isVirtual() {
        return virtual;
    }

    /** Reads a message; what is returned hands it to its receiver, on any thread. */
    Handover read(Importer in) {
        T message = serializer.read(in, null);
        return delivery -> receiver.receive(message, delivery);
    }

    /** A message that was read. */
    @FunctionalInterface
    interface Handover {
        /** Hands it to its receiver. */
        void to(Delivery delivery) throws Exception;
    }

    /** Reads a message, and hands it to its receiver. */
    public void receive(Importer in, Delivery delivery) throws Exception {
        receiver.receive(serializer.read(in, reused), delivery);
    }
}
