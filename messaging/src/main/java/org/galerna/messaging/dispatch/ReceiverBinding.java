package org.galerna.messaging.dispatch;

import java.util.function.Supplier;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** How one handler thread receives messages of one type: all that it needs, found once. */
public final class ReceiverBinding<T> {
    private final Serializer<T> serializer;
    private final Receiver<? super T> receiver;
    private final @Nullable T reused;

    public ReceiverBinding(Registration<T> registration) {
        Supplier<T> reusable = registration.type().reusable();
        this.serializer = registration.type().serializer();
        this.receiver = registration.receiver();
        this.reused = reusable == null ? null : reusable.get();
    }

    /** Reads a message, and hands it to its receiver. */
    public void receive(Importer in, Delivery delivery) throws Exception {
        receiver.receive(serializer.read(in, reused), delivery);
    }
}
