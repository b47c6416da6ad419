package org.galerna.messaging;

import static org.galerna.messaging.Frames.HEADER_BYTES;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.ShortTurns;
import org.galerna.memory.Waiting;
import org.galerna.messaging.serialization.Importer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs receivers. When there is nothing to receive it polls, if nobody else does; so a message needs no
 * change of threads between the network and its receiver.
 */
final class Handler implements Runnable {
    /** Frames of many messages that fill one or two batches: what was copied is handled while the cache has it. */
    private static final int POLL_LIMIT = 16;

    /** Processed bytes are told to the connection in portions of this. */
    private static final int ACCOUNTED_BYTES = 8 * 1024;

    /** Looks without finding anything after which what was processed is confirmed. */
    private static final int CONFIRM_ROUND = 100;

    /** Sleep of a handler that has to look after what others have gathered: nobody wakes it for that. */
    private static final long TEND_NANOS = 50_000;

    private static final long DOZE_NANOS = 10_000_000;
    private static final long SLEEP_NANOS = 1_000_000_000;

    private static final VarHandle BUSY_SINCE;

    static {
        try {
            BUSY_SINCE = MethodHandles.lookup().findVarHandle(Handler.class, "busySince", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Engine engine;
    private final Importer importer = new Importer();
    private final Waiting waiting = Waiting.forRanks(2);
    private final @Nullable Inlet<?>[] inlets;
    private Delivery messages = Delivery.ofMessages(0); // of the node that has sent the last one
    private long received;

    @SuppressWarnings("UnusedVariable") // through the handle
    private long busySince;

    private long helped;

    Handler(Engine engine) {
        this.engine = engine;
        this.inlets = engine.newInlets();
    }

    boolean isOf(Engine one) {
        return engine == one;
    }

    /** When it has taken what it is at, by the coarse clock; 0 if it is at nothing. */
    long busySince() {
        return (long) BUSY_SINCE.getAcquire(this);
    }

    long received() {
        return received;
    }

    @Override
    public void run() {
        ShortTurns.ask();
        int round = 0;
        while (!engine.isStopped()) {
            Parcel parcel = engine.dispatcher().take();
            if (parcel != null) {
                handle(parcel);
                round = waited(round);
                continue;
            }
            int found = engine.poller().pollForWork(POLL_LIMIT);
            if (found > 0) {
                round = waited(round);
            } else if (found == Poller.BUSY && engine.poller().isHandlerAtIt()) {
                doze();
            } else if (engine.poller().helped() != helped && !engine.waiters().needHandlers()) {
                helped = engine.poller().helped();
                yieldToOthers();
            } else {
                if (round == CONFIRM_ROUND) {
                    engine.poller().confirm();
                }
                if (!waiting.pause(round++) && !sleep()) {
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
        if (engine.dispatcher().isEmpty() && !engine.poller().hasEnded() && !engine.isStopped()) {
            engine.bell().sleep(DOZE_NANOS);
        } else {
            engine.bell().cancel();
        }
    }

    /**
     * Leaves the core to threads of the application that poll while they wait. Whatever they find for handlers rings, by
     * {@link Dispatcher#add}: the parcel is made visible before, and looked for here after the announcement, so that the
     * argument at {@link org.galerna.memory.Doorbell} holds. When they stop, those who still sleep ring, see
     * {@link ResponseWaiters}; the time is for what nobody rings for, such as what others have gathered.
     */
    private void yieldToOthers() {
        engine.waiters().beginYielding();
        try {
            engine.bell().prepare();
            if (engine.dispatcher().isEmpty() && !engine.waiters().needHandlers() && !engine.isStopped()) {
                engine.bell().sleep(engine.yieldNanos());
            } else {
                engine.bell().cancel();
            }
        } finally {
            engine.waiters().endYielding();
        }
    }

    /** Returns whether to sleep again soon: there is something to look after, or somebody else polls. */
    private boolean sleep() {
        boolean ignored = Thread.interrupted(); // it would end every sleep
        engine.crew().check();
        engine.poller().confirm();
        boolean last = engine.rest();
        boolean rests = true;
        boolean idle = false;
        engine.bell().prepare();
        try {
            engine.poller().arm();
            // what has come before the links knew that somebody sleeps is found here
            int found = engine.poller().pollForWork(POLL_LIMIT);
            idle = found == 0 && engine.dispatcher().isEmpty() && !engine.isStopped();
            boolean tends = idle && last && engine.poller().needsTending();
            if (!idle || tends) {
                engine.unrest();
                rests = false;
            }
            if (idle) {
                engine.asleep(true);
                engine.bell().sleep(tends ? TEND_NANOS : SLEEP_NANOS);
            }
            return tends || found == Poller.BUSY;
        } finally {
            if (idle) {
                engine.asleep(false);
            } else {
                engine.bell().cancel();
            }
            if (rests) {
                engine.unrest();
            }
        }
    }

    private void handle(Parcel parcel) {
        boolean ignored = engine.rest(); // a receiver may take long
        BUSY_SINCE.setRelease(this, Math.max(1, engine.now()));
        try {
            parcel.open(this);
        } catch (Throwable thrown) {
            // whatever users' code throws was caught; what else was in the parcel is lost, and its sender has to hear
            // that
            parcel.connection().lose("a thread of this node has died with messages: " + Thrown.describe(thrown));
            throw thrown;
        } finally {
            BUSY_SINCE.setRelease(this, 0L);
            engine.unrest();
            engine.dispatcher().done(parcel);
            parcel.discard(); // last: from here on the polling thread may address it for another connection
        }
    }

    // ---- delivering

    /** Hands messages that lie one behind the other, padded to 8 bytes, to their receivers. */
    void deliverAll(Connection connection, byte[] memory, int end) {
        int unaccounted = 0;
        int messages = 0;
        try {
            for (int at = 0; at < end && !engine.isStopped(); ) {
                long header = Frames.word(memory, at);
                int length = Frames.length(header);
                boolean request = Frames.kind(header) == Frames.REQUEST;
                int headerBytes = request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES;
                if (!request || isInTime(Frames.word(memory, at + Frames.LIMIT_OFFSET))) {
                    importer.begin(memory, at + headerBytes, length - headerBytes, Frames.version(header));
                    long id = request ? Frames.word(memory, at + HEADER_BYTES) : 0;
                    deliver(connection, request, id, Frames.type(header));
                }
                int cost = Credit.cost(length);
                at += cost;
                unaccounted += cost;
                messages++;
                if (unaccounted >= ACCOUNTED_BYTES) {
                    connection.processed(messages, unaccounted);
                    unaccounted = 0;
                    messages = 0;
                }
            }
        } finally {
            importer.end();
        }
        connection.processed(messages, unaccounted);
    }

    /** Hands a message that came in pieces to its receiver. */
    void deliver(Connection connection, WholeMessage whole) {
        long header = Frames.word(whole.first(), 0);
        boolean request = Frames.kind(header) == Frames.REQUEST;
        if (request && !isInTime(Frames.word(whole.first(), Frames.LIMIT_OFFSET))) {
            return;
        }
        SendScratch scratch = SendScratch.ofThread();
        scratch.handles(whole);
        try {
            whole.begin(importer, request ? Frames.REQUEST_HEADER_BYTES : HEADER_BYTES, Frames.version(header));
            long id = request ? Frames.word(whole.first(), HEADER_BYTES) : 0;
            deliver(connection, request, id, Frames.type(header));
        } finally {
            importer.end();
            scratch.handles(null);
        }
    }

    /** Nobody waits for the answer to a request that comes too late. */
    private boolean isInTime(long deadline) {
        if (System.nanoTime() - deadline <= 0) {
            return true;
        }
        engine.countExpired();
        return false;
    }

    private void deliver(Connection connection, boolean request, long id, int type) {
        Inlet<?> inlet = type < inlets.length ? inlets[type] : null;
        Delivery delivery =
                request ? Delivery.ofRequest(new Responder(connection, id)) : deliveryOfMessages(connection.peer());
        delivery.begin();
        try {
            if (inlet == null) {
                throw new IllegalStateException("no receiver is registered for messages of type " + type);
            }
            inlet.receive(importer, delivery);
        } catch (Throwable thrown) { // whatever it is, the next message is not to blame
            engine.report(connection.peer(), type, thrown);
            if (!engine.isInterrupting()) { // then the request fails because this node is gone
                delivery.failed(thrown);
            }
        } finally {
            delivery.end();
        }
        if (Thread.currentThread().isInterrupted()) {
            boolean ignored = Thread.interrupted(); // by this receiver: the next one is not to suffer for it
        }
        received++;
    }

    private Delivery deliveryOfMessages(int sender) {
        Delivery known = messages;
        if (!known.isFrom(sender)) {
            known = Delivery.ofMessages(sender);
            messages = known;
        }
        return known;
    }
}
