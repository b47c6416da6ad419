package org.galerna.messaging;

import static org.galerna.messaging.Frames.HEADER_BYTES;
import static org.galerna.messaging.Frames.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.galerna.memory.Waiting;
import org.galerna.messaging.serialization.Importer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs receivers. When there is nothing to receive it polls, if nobody else does; so a message needs no
 * change of threads between the network and its receiver.
 */
final class Handler implements Runnable {
    private static final int POLL_LIMIT = 256;

    /** Looks without finding anything after which what was processed is confirmed. */
    private static final int CONFIRM_ROUND = 100;

    /** Waiting threads of the application poll: a handler leaves the core to them and looks from time to time. */
    private static final long OTHERS_POLL_NANOS = 100_000;

    private static final long DOZE_NANOS = 10_000_000;
    private static final long SLEEP_NANOS = 1_000_000_000;

    private final Engine engine;
    private final Importer importer = new Importer();
    private final Delivery delivery = new Delivery();
    private final Waiting waiting = Waiting.forRanks(2);
    private @Nullable Object[] reused = new Object[0];
    private long received;
    private long helped;

    Handler(Engine engine) {
        this.engine = engine;
    }

    long received() {
        return received;
    }

    @Override
    public void run() {
        int round = 0;
        while (!engine.isStopped()) {
            Parcel parcel = engine.dispatcher().take();
            if (parcel != null) {
                handle(parcel);
                round = waited(round);
                continue;
            }
            int found = engine.poller().poll(POLL_LIMIT);
            if (found > 0) {
                round = waited(round);
            } else if (found == Poller.BUSY && engine.poller().isHandlerAtIt()) {
                doze();
            } else if (engine.poller().helped() != helped) {
                helped = engine.poller().helped();
                LockSupport.parkNanos(this, OTHERS_POLL_NANOS);
            } else {
                if (round == CONFIRM_ROUND) {
                    engine.poller().confirm();
                }
                if (!waiting.pause(round++)) {
                    sleep();
                    round = waited(round);
                }
            }
        }
    }

    private int waited(int round) {
        if (round > 0) {
            waiting.over(round);
        }
        return 0;
    }

    /** Waits for something to handle, while another handler polls. */
    private void doze() {
        engine.bell().prepare();
        if (engine.dispatcher().isEmpty() && !engine.isStopped()) {
            engine.bell().sleep(DOZE_NANOS);
        } else {
            engine.bell().cancel();
        }
    }

    private void sleep() {
        boolean ignored = Thread.interrupted(); // of a receiver; it would end every sleep
        engine.poller().confirm();
        engine.bell().prepare();
        engine.poller().arm();
        // what has come before the links knew that somebody sleeps is found here
        if (engine.poller().poll(POLL_LIMIT) == 0 && engine.dispatcher().isEmpty() && !engine.isStopped()) {
            engine.asleep(true);
            // a confirmation wakes nobody
            engine.bell().sleep(engine.poller().awaitsConfirmations() ? OTHERS_POLL_NANOS : SLEEP_NANOS);
            engine.asleep(false);
        } else {
            engine.bell().cancel();
        }
    }

    private void handle(Parcel parcel) {
        try {
            parcel.open(this);
        } finally {
            parcel.discard();
            engine.dispatcher().done(parcel);
        }
    }

    // ---- delivering

    /** Hands one frame to its receiver. */
    void deliver(Connection connection, MemorySegment memory, long offset, int length) {
        long header = memory.get(LONG, offset);
        boolean request = Frames.kind(header) == Frames.REQUEST;
        int headerBytes = request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES;
        importer.begin(memory, offset + headerBytes, length - headerBytes, Frames.version(header));
        deliver(connection, request, request ? memory.get(LONG, offset + HEADER_BYTES) : 0, Frames.type(header));
    }

    /** Hands a message that came in pieces to its receiver. */
    void deliver(Connection connection, WholeMessage whole) {
        long header = whole.first().get(LONG, 0);
        boolean request = Frames.kind(header) == Frames.REQUEST;
        whole.begin(importer, request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES, Frames.version(header));
        deliver(connection, request, request ? whole.first().get(LONG, HEADER_BYTES) : 0, Frames.type(header));
    }

    private void deliver(Connection connection, boolean request, long id, int type) {
        Registration<?> registration = engine.registration(type);
        delivery.begin(connection, request, id);
        try {
            if (registration == null) {
                throw new IllegalStateException("no receiver is registered for messages of type " + type);
            }
            receive(registration);
        } catch (Throwable thrown) { // whatever it is, the next message is not to blame
            failed(connection, id, type, thrown);
        } finally {
            importer.end();
            delivery.end();
        }
        received++;
    }

    private <T> void receive(Registration<T> registration) throws Exception {
        T object = registration.read(importer, this);
        registration.receiver().receive(object, delivery);
    }

    private void failed(Connection connection, long id, int type, Throwable thrown) {
        engine.report(connection.peer(), type, thrown);
        if (delivery.isUnanswered()) {
            try {
                connection.respondFailure(id, thrown.toString());
            } catch (MessagingException gone) {
                // then the request has failed with its connection
            }
        }
    }

    /** This thread's object for messages of a type. */
    Object reused(int type, Supplier<?> maker) {
        if (type >= reused.length) {
            reused = Arrays.copyOf(reused, type + 1);
        }
        Object object = reused[type];
        if (object == null) {
            object = maker.get();
            reused[type] = object;
        }
        return object;
    }
}
