package org.galerna.messaging.dispatch;

import java.util.function.Supplier;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Handling;
import org.galerna.messaging.Receiver;
import org.galerna.messaging.TypeStatistics;
import org.galerna.messaging.counters.LatencyRecorder;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** How one handler thread receives messages of one type: all that it needs, found once. */
public final class ReceiverBinding<T> {
    private final Serializer<T> serializer;
    private final Receiver<? super T> receiver;
    private final @Nullable T reused;
    private final boolean virtual;
    private final WireType<T> type;
    private final LatencyRecorder handling = new LatencyRecorder();

    // of the handler that it belongs to; others read what they see
    private long received;
    private long bytes;
    private long failures;

    public ReceiverBinding(Registration<T> registration) {
        Supplier<T> reusable = registration.type().reusable();
        this.serializer = registration.type().serializer();
        this.receiver = registration.receiver();
        this.type = registration.type();
        this.virtual = registration.handling() == Handling.VIRTUAL;
        this.reused = reusable == null ? null : reusable.get();
    }

    WireType<T> type() {
        return type;
    }

    /** Counts a message of that many bytes, and says whether it is one of those that are measured. */
    boolean count(long length) {
        bytes += length;
        return (received++ & (TypeStatistics.SAMPLED - 1)) == 0;
    }

    void countFailure() {
        failures++;
    }

    long received() {
        return received;
    }

    long bytes() {
        return bytes;
    }

    long failures() {
        return failures;
    }

    /** How long receivers took. */
    LatencyRecorder handling() {
        return handling;
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
