package org.galerna.messaging.connection;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.messaging.pending.Completions;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.Progress;

/**
 * Looks at all connections of a node: one thread at a time, whichever has nothing better to do. Handlers poll when there is
 * nothing to handle; threads of the application poll while they wait.
 */
public final class Poller implements Progress {
    private static final int HELP_LIMIT = 64;

    private final HandlerWakeup wakeup;
    private final Completions completions;
    private final FailureLog failures;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Connection> retired = new ConcurrentLinkedQueue<>();
    private volatile Connection[] connections = {};
    private volatile boolean handlerAtIt;
    private volatile long polls;
    private volatile long helped;

    /** Looks at nothing yet. */
    public Poller(HandlerWakeup wakeup, Completions completions, FailureLog failures) {
        this.wakeup = wakeup;
        this.completions = completions;
        this.failures = failures;
    }

    /** Whether the calling thread polls at the moment: it is in a serializer, or in a listener. */
    public boolean isHeldByCaller() {
        return lock.isHeldByCurrentThread();
    }

    /** Number of polls so far. */
    public long polls() {
        return polls;
    }

    /** Number of polls by threads that are no handlers. */
    public long helped() {
        return helped;
    }

    public boolean isHandlerAtIt() {
        return handlerAtIt;
    }

    public synchronized void add(Connection connection) {
        Connection[] grown = Arrays.copyOf(connections, connections.length + 1);
        grown[grown.length - 1] = connection;
        connections = grown;
    }

    /** Lets a connection that is lost be closed by the next poll. */
    public void retire(Connection connection) {
        retired.add(connection);
    }

    public Connection[] connections() {
        return connections;
    }

    /** Polls on behalf of a thread that waits; returns as {@link #poll}. */
    @Override
    public int help() {
        return poll(HELP_LIMIT);
    }

    /**
     * As {@link #poll}, for a handler that has nothing else to do. Confirmations of what was sent do not count: they are
     * nothing to stay awake for. What depends on responses runs on this thread.
     */
    public int pollForWork(int limit) {
        int found = look(limit, false);
        completions.runDue();
        return found;
    }

    /**
     * Takes what has come in. What depends on responses may take long, and runs elsewhere.
     *
     * @param limit frames to take from one connection
     * @return number of frames; {@link #BUSY}
     */
    public int poll(int limit) {
        int found = look(limit, true);
        completions.runDueElsewhere();
        return found;
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
            boolean handler = wakeup.isHandler();
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

    /** The thread that looks may be any thread of the program, and what is wrong with a connection is not its business. */
    private int look(Connection connection, int limit) {
        try {
            return connection.poll(limit);
        } catch (Throwable thrown) {
            failures.report(() -> "the connection with node " + connection.peer() + " has failed", thrown);
            connection.lose("this node cannot use the connection any more: " + ThrownText.describe(thrown));
            return 0;
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
                failures.report(() -> "the connection with node " + gone.peer() + " was not closed", thrown);
            }
        }
    }

    /** Tells all nodes how much of theirs was processed. */
    public void confirm() {
        for (Connection each : connections) {
            each.confirm();
        }
    }

    /** Whether there is something to do that nobody wakes this node for: time or confirmations decide when. */
    public boolean needsTending() {
        for (Connection each : connections) {
            if (each.owesAnswer() || each.outbound().needsTidying()) {
                return true;
            }
        }
        return false;
    }

    /** Lets every link know that nobody polls. */
    public void arm() {
        for (Connection each : connections) {
            each.sentinel().arm();
        }
    }
}
