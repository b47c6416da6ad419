package org.galerna.messaging;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all connections of a node: one thread at a time, whichever has nothing better to do. Handlers poll when there is
 * nothing to handle; threads of the application poll while they wait.
 */
final class Poller {
    /** {@link #poll}: another thread polls. */
    static final int BUSY = -1;

    private static final int HELP_LIMIT = 64;

    private final Engine engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Connection> retired = new ConcurrentLinkedQueue<>();
    private volatile Connection[] connections = {};
    private volatile boolean handlerAtIt;
    private volatile long polls;
    private volatile long helped;

    /**
     * Taken out one by one: what depends on one may wait for another one, and others then take that. Handlers do, the guard,
     * and whoever waits.
     */
    private final ConcurrentLinkedQueue<Ended> ended = new ConcurrentLinkedQueue<>();

    /** A request whose future completes outside the lock. */
    private record Ended(
            PendingRequest request,
            @Nullable Object response,
            @Nullable MessagingException failure) {}

    Poller(Engine engine) {
        this.engine = engine;
    }

    /** Whether the calling thread polls at the moment: it is in a serializer, or in a listener. */
    boolean isHeldByCaller() {
        return lock.isHeldByCurrentThread();
    }

    /** Number of polls so far. */
    long polls() {
        return polls;
    }

    /** Number of polls by threads that are no handlers. */
    long helped() {
        return helped;
    }

    boolean isHandlerAtIt() {
        return handlerAtIt;
    }

    synchronized void add(Connection connection) {
        Connection[] grown = Arrays.copyOf(connections, connections.length + 1);
        grown[grown.length - 1] = connection;
        connections = grown;
    }

    /** Lets a connection that is lost be closed by the next poll. */
    void retire(Connection connection) {
        retired.add(connection);
    }

    Connection[] connections() {
        return connections;
    }

    /** Polls on behalf of a thread that waits; returns as {@link #poll}. */
    int help() {
        return poll(HELP_LIMIT);
    }

    /**
     * As {@link #poll}, for a handler that has nothing else to do. Confirmations of what was sent do not count: they are
     * nothing to stay awake for. What depends on responses runs on this thread.
     */
    int pollForWork(int limit) {
        int found = look(limit, false);
        boolean first = true;
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            if (first && !ended.isEmpty()) {
                engine.ring(); // this one may take long
                first = false;
            }
            end(each.request, each.response, each.failure);
        }
        return found;
    }

    /**
     * Takes what has come in. What depends on responses may take long, and runs elsewhere.
     *
     * @param limit frames to take from one connection
     * @return number of frames; {@link #BUSY}
     */
    int poll(int limit) {
        int found = look(limit, true);
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            Ended one = each;
            engine.elsewhere(() -> end(one.request, one.response, one.failure));
        }
        return found;
    }

    /** Whether responses have come on which something depends that nobody has run yet. */
    boolean hasEnded() {
        return !ended.isEmpty();
    }

    private int look(int limit, boolean countConfirmations) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("a serializer must neither send nor wait");
        }
        if (!lock.tryLock()) {
            return BUSY;
        }
        int handled = 0;
        try {
            boolean handler = engine.isHandler(Thread.currentThread());
            handlerAtIt = handler;
            long before = polls;
            polls = before + 1;
            if (!handler) {
                long helpedBefore = helped;
                helped = helpedBefore + 1;
            }
            for (Connection each : connections) {
                if (each.isLost()) {
                    continue; // a later one may be in the list already: see Dispatcher.Lane
                }
                int frames = look(each, limit);
                handled += countConfirmations ? frames : frames - each.confirmations();
            }
            if (!retired.isEmpty()) {
                closeRetired();
            }
        } finally {
            handlerAtIt = false;
            lock.unlock();
        }
        return handled;
    }

    /** The thread that looks may be that of anybody, who has nothing to do with what is wrong with a connection. */
    private int look(Connection connection, int limit) {
        try {
            return connection.poll(limit);
        } catch (Throwable thrown) {
            engine.reports().failure(() -> "the connection with node " + connection.peer() + " has failed", thrown);
            connection.lose("this node cannot use the connection any more: " + Thrown.describe(thrown));
            return 0;
        }
    }

    /** Ends a request that was taken out. */
    void end(PendingRequest request, @Nullable Object response, @Nullable MessagingException failure) {
        try {
            request.end(response, failure);
        } catch (Throwable thrown) { // by what depends on it
            engine.reports().failure(() -> "what depends on a response has thrown", thrown);
        }
    }

    /** Ends a request after this poll, when what depends on it may do as it likes. */
    void endAfterwards(PendingRequest request, @Nullable Object response, @Nullable MessagingException failure) {
        if (request.hasFuture()) {
            ended.add(new Ended(request, response, failure));
        } else {
            request.end(response, failure);
        }
    }

    private void closeRetired() {
        Connection connection;
        while ((connection = retired.poll()) != null) {
            Connection gone = connection;
            synchronized (this) {
                connections =
                        Arrays.stream(connections).filter(each -> each != gone).toArray(Connection[]::new);
            }
            try {
                gone.close();
            } catch (Throwable thrown) { // the others are closed all the same
                engine.reports().failure(() -> "the connection with node " + gone.peer() + " was not closed", thrown);
            }
        }
    }

    /** Tells all nodes how much of theirs was processed. */
    void confirm() {
        for (Connection each : connections) {
            each.confirm();
        }
    }

    /** Whether there is something to do that nobody wakes this node for: time or confirmations decide when. */
    boolean needsTending() {
        for (Connection each : connections) {
            if (each.owesAnswer() || each.outbound().needsTidying()) {
                return true;
            }
        }
        return false;
    }

    /** Lets every link know that nobody polls. */
    void arm() {
        for (Connection each : connections) {
            each.sentinel().arm();
        }
    }
}
