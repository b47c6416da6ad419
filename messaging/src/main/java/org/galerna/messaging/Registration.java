package org.galerna.messaging;

import java.util.function.Supplier;
import org.galerna.messaging.serialization.Importer;

/** A type of messages that a node receives. */
record Registration<T>(MessageType<T> type, Handling handling, Receiver<? super T> receiver) {
    T read(Importer in, Handler handler) {
        Supplier<T> reusable = type.reusable();
        return type.serializer()
                .read(in, reusable == null ? null : type.type().cast(handler.reused(type.id(), reusable)));
    }
}
