package org.galerna.messaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.galerna.link.ProcessFence;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Doorbell;
import org.jspecify.annotations.Nullable;

/** The threads of a node and what they share: handlers, and a guard that polls when nobody else does. */
final class Engine {
    private static final long TICK_NANOS = 1_000_000;
    private static final long ASLEEP_TICK_NANOS = 50_000_000;
    private static final int GUARD_LIMIT = 256;
    private static final int CONCURRENT_BATCH = 16;

    /** Waiting threads of the application poll: a handler leaves the core to them and looks from time to time. */
    private static final long YIELD_NANOS = 100_000;

    private final NodeConfig config;
    private final Map<Class<?>, MessageType<?>> typesByClass;
    private final @Nullable MessageType<?>[] types;
    private final @Nullable Registration<?>[] registrations;
    private final ConnectionListener listener;
    private final Poller poller = new Poller(this);
    private final Dispatcher dispatcher = new Dispatcher(this);
    private final Batch.Pool batches = new Batch.Pool();
    private final PendingRequests requests;
    private final Reports reports;
    private final Announcer announcer;
    private final long yieldNanos;
    private final AsymmetricFence fence = ProcessFence.instance();
    private final Doorbell bell = new Doorbell(fence);
    private final AtomicInteger awake = new AtomicInteger();
    private final List<Handler> handlers = new ArrayList<>();
    private final Crew crew = new Crew(this);
    private final Crew.Member guard;
    private final AtomicInteger sleeping = new AtomicInteger();
    private final LongAdder responses = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder receiverFailures = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final LongAdder sentBefore = new LongAdder();
    private final LongAdder blockedBefore = new LongAdder();
    private volatile long now = coarse();
    private final ResponseWaiters waiters = new ResponseWaiters(this); // reads the clock
    private volatile boolean closing;
    private volatile boolean stopped;
    private volatile boolean interrupting;
    private volatile boolean ended;
    private volatile @Nullable Peers peers;

    Engine(
            NodeConfig config,
            List<MessageType<?>> known,
            List<Registration<?>> receivers,
            ConnectionListener listener) {
        this(config, known, receivers, listener, 0, YIELD_NANOS);
    }

    /**
     * A node whose parts have not begun.
     *
     * @param lastRequest number before that of the first request
     * @param yieldNanos the longest time for which a handler leaves the polling to others
     */
    Engine(
            NodeConfig config,
            List<MessageType<?>> known,
            List<Registration<?>> receivers,
            ConnectionListener listener,
            long lastRequest,
            long yieldNanos) {
        this.requests = new PendingRequests(lastRequest);
        this.yieldNanos = yieldNanos;
        this.config = config;
        this.reports = new Reports(config.id());
        this.announcer = new Announcer("galerna-messaging-" + config.id() + "-listener", reports);
        this.listener = listener;
        this.typesByClass = TypeTable.byClass(known);
        this.types = TypeTable.byNumber(known);
        this.registrations = TypeTable.registrations(receivers);
        for (int each = 0; each < config.handlers(); each++) {
            Handler handler = new Handler(this);
            handlers.add(handler);
            Crew.Member ignored = crew.add("handler-" + each, handler, handler);
        }
        guard = crew.add("guard", null, this::guard);
    }

    void start(Peers connections) {
        peers = connections;
        awake.set(handlers.size());
        crew.start();
    }

    NodeConfig config() {
        return config;
    }

    Poller poller() {
        return poller;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Batch.Pool batches() {
        return batches;
    }

    Reports reports() {
        return reports;
    }

    PendingRequests requests() {
        return requests;
    }

    ResponseWaiters waiters() {
        return waiters;
    }

    long yieldNanos() {
        return yieldNanos;
    }

    Doorbell bell() {
        return bell;
    }

    Crew crew() {
        return crew;
    }

    /** Whether handlers are to end after the message that they are at. */
    boolean isStopped() {
        return stopped;
    }

    /** Whether all threads are to end. */
    boolean isEnded() {
        return ended;
    }

    boolean isHandler(Thread thread) {
        return crew.isHandler(thread);
    }

    /** Messages that may be handled concurrently and go to one handler together, at most. */
    int concurrentBatch() {
        return config.handlers() == 1 ? Integer.MAX_VALUE : CONCURRENT_BATCH;
    }

    /** A coarse clock in milliseconds. */
    long now() {
        return now;
    }

    private static long coarse() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Wakes handlers that sleep. */
    void ring() {
        bell.ring();
    }

    /**
     * Sees to it that a handler looks after what was left for the polling thread, which the caller has made visible. Handlers
     * that poll, or sleep for a short time only, look by themselves.
     *
     * <p>Argument: the caller stores what it leaves, passes the light fence and loads {@code awake}; a handler that goes to
     * sleep lowers {@code awake}, passes the heavy fence of {@link Doorbell#prepare} and looks whether anything was left.
     * At least one sees the other's store. One that goes to run a receiver does not look; what was left just before is found
     * by the guard at its next tick.
     */
    void lookAfter() {
        fence.light();
        if (awake.getOpaque() == 0) {
            bell.ring();
        }
    }

    /** A handler does not look any more: it is about to sleep or to run a receiver. Returns whether it was the last one. */
    boolean rest() {
        return awake.decrementAndGet() == 0;
    }

    /** Takes {@link #rest} back. */
    void unrest() {
        awake.incrementAndGet();
    }

    void asleep(boolean asleep) {
        sleeping.addAndGet(asleep ? 1 : -1);
    }

    /**
     * Polls if nobody has since its last look: all handlers may be in receivers that wait for something. Ends the requests
     * with futures whose time is over.
     */
    private void guard() {
        long seen = -1;
        while (!ended) {
            now = coarse();
            crew.check();
            boolean asleep = sleeping.get() > 0;
            // who sleeps is woken by what comes, but not by what was left
            if (poller.hasEnded() || (poller.polls() == seen && (!asleep || poller.needsTending()))) {
                while (poller.poll(GUARD_LIMIT) > 0 && !ended) {
                    now = coarse();
                }
                poller.confirm();
                if (!dispatcher.isEmpty()) {
                    bell.ring();
                }
            }
            reports.tidy();
            keepLimit();
            seen = poller.polls();
            endElsewhere(requests.takeOverdue(System.nanoTime()), PendingRequest::timeOver);
            long tick = asleep ? ASLEEP_TICK_NANOS : TICK_NANOS;
            PendingRequest first = requests.first();
            long nap = first == null ? tick : Math.clamp(first.deadline - System.nanoTime(), 1, tick);
            LockSupport.parkNanos(this, nap);
        }
    }

    private void keepLimit() {
        Peers known = peers;
        if (known != null && poller.connections().length > config.connections()) {
            known.keepLimit(null);
        }
    }

    // ---- types

    /** The type that objects of this class are sent as. */
    @SuppressWarnings("unchecked") // filed under its class
    <T> MessageType<T> typeOf(T message) {
        MessageType<?> type = typesByClass.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException(
                    "no message type is registered for " + message.getClass().getName());
        }
        return (MessageType<T>) type;
    }

    /** Fails if a message is longer than it may be. */
    void checkLength(MessageType<?> type, long length) {
        if (length > config.maximumMessage()) {
            throw new IllegalArgumentException("a message of " + type + " has " + length + " bytes, more than the "
                    + config.maximumMessage() + " that a message may have");
        }
    }

    MessageType<?> type(int number) {
        MessageType<?> type = number < types.length ? types[number] : null;
        if (type == null) {
            throw new IllegalStateException("no message type has the number " + number);
        }
        return type;
    }

    @Nullable
    Registration<?> registration(int number) {
        return number < registrations.length ? registrations[number] : null;
    }

    /** Those of a handler, by the numbers of the types. */
    @Nullable
    Inlet<?>[] newInlets() {
        @Nullable Inlet<?>[] inlets = new Inlet<?>[registrations.length];
        for (int number = 0; number < inlets.length; number++) {
            Registration<?> registration = registrations[number];
            inlets[number] = registration == null ? null : new Inlet<>(registration);
        }
        return inlets;
    }

    boolean isOrdered(int number) {
        Registration<?> registration = registration(number);
        return registration == null || registration.handling() == Handling.ORDERED;
    }

    // ---- what happens

    void countResponse() {
        responses.increment();
    }

    void countLate() {
        late.increment();
    }

    /** A request was dropped, because nobody waits for its answer any more. */
    void countExpired() {
        expired.increment();
    }

    /** A connection has another link than was chosen, which did not work. */
    void countFallback() {
        fallbacks.increment();
    }

    /** A receiver has thrown, or a message could not be read. */
    void report(int sender, int type, Throwable thrown) {
        receiverFailures.increment();
        MessageType<?> known = type < types.length ? types[type] : null;
        reports.failure(
                () -> "a message of node " + sender + " of type " + (known == null ? String.valueOf(type) : known)
                        + " was not received",
                thrown);
    }

    /** The listener hears of a connection before the first message of it is received, and before it can be lost. */
    void connected(Connection connection) {
        int peer = connection.peer();
        announcer.tellHere(
                peer, () -> listener.onConnected(peer, connection.link().name()));
        poller.add(connection);
        if (closing) { // and whoever closes the node may not have seen it
            connection.lose("this node is closed");
        }
        ring();
    }

    /** Fails what was asked over a connection that is lost. */
    void failRequests(Connection connection, String reason) {
        fail(requests.takeAll(connection), gone(connection.peer(), reason));
    }

    void disconnected(Connection connection, String reason) {
        Peers known = peers;
        if (known != null) {
            known.remove(connection);
        }
        long gathered = connection.outbound().abandonGathered();
        long unconfirmed = gathered + connection.credit().inDoubt();
        sentBefore.add(gathered + connection.credit().messages());
        blockedBefore.add(connection.outbound().blockedSends());
        int peer = connection.peer();
        announcer.tellElsewhere(peer, () -> listener.onDisconnected(peer, reason, unconfirmed));
    }

    /** What requests fail with when a connection has ended. */
    MessagingException gone(int node, String reason) {
        return closing
                ? new MessagingException(
                        MessagingException.Reason.CLOSED,
                        "node " + config.id() + " was closed before node " + node + " had answered")
                : new MessagingException(MessagingException.Reason.UNREACHABLE, "node " + node + " is gone: " + reason);
    }

    /** What a wait for a node fails with when its thread is interrupted, perhaps because this node is closed. */
    MessagingException interrupted(int node, MessagingException.Reason usual, @Nullable Throwable cause) {
        return new MessagingException(
                interrupting ? MessagingException.Reason.CLOSED : usual,
                "interrupted while waiting for node " + node,
                cause);
    }

    /** Ends requests that were taken out. What depends on futures runs on a thread of its own, and may do as it likes. */
    private void fail(List<PendingRequest> taken, MessagingException failure) {
        List<PendingRequest> futures = new ArrayList<>();
        for (PendingRequest each : taken) {
            if (each.hasFuture()) {
                futures.add(each);
            } else {
                each.end(null, failure);
            }
        }
        endElsewhere(futures, _ -> failure);
    }

    /** Ends requests with futures, each on a thread of its own: what depends on one may wait for another one. */
    void endElsewhere(List<PendingRequest> taken, Function<PendingRequest, MessagingException> failure) {
        for (PendingRequest each : taken) {
            elsewhere(() -> poller.end(each, null, failure.apply(each)));
        }
    }

    /** Runs what depends on a future, where it holds nobody up. */
    void elsewhere(Runnable work) {
        try {
            Thread ignored = Thread.ofVirtual()
                    .name("galerna-messaging-" + config.id() + "-future")
                    .start(work);
        } catch (OutOfMemoryError noThread) { // a future that nobody completes would be worse than waiting
            work.run();
        }
    }

    /** A request with a future has begun. The guard ends it when its time is over. */
    void lookAfterDeadline(PendingRequest request) {
        if (requests.first() == request) {
            guard.wake(); // it sleeps until the deadline that was the first one before
        }
    }

    Announcer announcer() {
        return announcer;
    }

    NodeStatistics statistics(long refusedCallers) {
        long sent = sentBefore.sum();
        long blocked = blockedBefore.sum();
        Connection[] connections = poller.connections();
        for (Connection each : connections) {
            if (each.isLost()) {
                continue; // its counts are those before
            }
            sent += each.credit().messages() + each.outbound().gathered();
            blocked += each.outbound().blockedSends();
        }
        return new NodeStatistics(
                sent,
                handlers.stream().mapToLong(Handler::received).sum(),
                responses.sum(),
                late.sum(),
                receiverFailures.sum(),
                blocked,
                connections.length,
                requests.size(),
                refusedCallers,
                expired.sum(),
                fallbacks.sum());
    }

    // ---- the end, see Closing

    /** What ends from here on ends because this node is closed. */
    void beginClosing() {
        closing = true;
    }

    /** Lets handlers end after the message that they are at. */
    void stopHandlers() {
        stopped = true;
    }

    /** Interrupts the handlers that have not ended. */
    void interruptHandlers() {
        interrupting = true;
        crew.interrupt();
    }

    /** Whether receivers may fail because they are interrupted. */
    boolean isInterrupting() {
        return interrupting;
    }

    /** Lets all threads end. */
    void end() {
        stopped = true;
        ended = true;
    }
}
