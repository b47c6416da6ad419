package org.galerna.messaging.node;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.connection.Announcer;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.support.NodeLog;
import org.galerna.messaging.support.TimeLimit;

/**
 * The end of a node, within its time limit. One thread does it; others that close the node wait for that one.
 *
 * <p>The steps: from the first one on nothing is sent any more but responses, and the rest of what has begun. Then what was
 * sent is processed by the others; handlers end after the messages that they are at; those that have not by the end of the
 * time are interrupted; connections end; and at last the threads.
 */
final class Closing {

    /** How long a step takes that has to be taken when the time is over: time for interrupted receivers to return. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LOOK_NANOS = 100_000;
    private static final String REASON = "this node is closed";

    private final NodeParts node;
    private final Poller poller;
    private final Crew crew;
    private final Peers peers;
    private final Announcer announcer;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    // of the thread that closes
    private boolean interrupted;
    private long deadline;

    Closing(NodeParts node, Crew crew, Peers peers, Announcer announcer) {
        this.node = node;
        this.poller = node.poller();
        this.crew = crew;
        this.peers = peers;
        this.announcer = announcer;
    }

    boolean hasBegun() {
        return begun.get();
    }

    /** Closes the node, or waits for the thread that does. */
    void close(Duration limit) {
        if (poller.isHeldByCaller()) { // by a serializer: the polling has to go on
            Thread ignored =
                    Thread.ofPlatform().daemon().name(node.threadName("close")).start(() -> close(limit));
            return;
        }
        if (begun.compareAndSet(false, true)) {
            try {
                run(limit);
            } finally {
                node.events().closed();
                ended.countDown();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Duration limit) {
        deadline = TimeLimit.deadline(limit);
        node.life().beginClosing();
        peers.close();
        for (Connection each : poller.connections()) {
            each.stopSending();
        }
        boolean processed = await(deadline);
        node.life().stopHandlers();
        endHandlers();
        long linkDeadline = Math.max(0, deadline - System.nanoTime()) > GRACE_NANOS ? deadline : grace();
        if (processed) {
            boolean ignored = await(linkDeadline); // what receivers have answered meanwhile
        }
        long unconfirmed = 0;
        for (Connection each : poller.connections()) {
            unconfirmed += inDoubt(each);
            each.link().stop();
            each.link().drain(Math.max(0, linkDeadline - System.nanoTime()));
            each.lose(REASON);
        }
        node.life().end();
        boolean threadsEnded = awaitThreads(false, grace());
        boolean connectionsEnded = endConnections(grace());
        awaitTold(grace());
        report(limit, unconfirmed, threadsEnded && connectionsEnded);
    }

    private static long grace() {
        return System.nanoTime() + GRACE_NANOS;
    }

    /** Polls until what was sent is processed; false if the time is over before that. */
    private boolean await(long until) {
        while (!isSentProcessed()) {
            if (System.nanoTime() - until >= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                hurry();
                return false;
            }
            int found = poller.help();
            if (found <= 0) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
        return true;
    }

    /** The thread that closes was interrupted: the time is over for all that waits. */
    private void hurry() {
        interrupted = true;
        deadline = System.nanoTime();
    }

    private boolean isSentProcessed() {
        for (Connection each : poller.connections()) {
            if (!each.isLost() && inDoubt(each) > 0) {
                return false;
            }
        }
        return true;
    }

    private static long inDoubt(Connection connection) {
        return connection.isLost()
                ? 0
                : connection.credit().inDoubt() + connection.outbound().gathered();
    }

    private void endHandlers() {
        if (!awaitThreads(true, deadline) || !awaitVirtual(deadline)) {
            node.life().interruptHandlers();
            crew.interrupt();
            node.virtual().interrupt();
            long end = grace();
            boolean ignored = awaitThreads(true, end);
            ignored = awaitVirtual(end);
        }
    }

    private boolean awaitVirtual(long until) {
        try {
            return node.virtual().awaitEnd(until);
        } catch (InterruptedException hurry) {
            hurry();
            return false;
        }
    }

    private boolean awaitThreads(boolean handlersOnly, long until) {
        try {
            return crew.awaitEnd(handlersOnly, until);
        } catch (InterruptedException hurry) {
            hurry();
            return false;
        }
    }

    private void awaitTold(long until) {
        try {
            announcer.awaitTold(until);
        } catch (InterruptedException hurry) {
            interrupted = true;
        }
    }

    /** Closes what is lost; the thread that polls does, which may be one of the application that is about to give up. */
    private boolean endConnections(long until) {
        while (true) {
            for (Connection each : poller.connections()) {
                each.lose(REASON);
            }
            int found = poller.help();
            if (found != Poller.BUSY && poller.connections().length == 0) {
                return true;
            }
            if (System.nanoTime() - until > 0) {
                return false;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void report(Duration limit, long unconfirmed, boolean complete) {
        List<String> left = new ArrayList<>();
        List<String> threads = crew.left();
        if (!threads.isEmpty()) {
            left.add("handlers whose receivers do not return, although they were interrupted: "
                    + String.join(", ", threads));
        } else if (!complete) {
            left.add("a thread that is still at a message, and closes its connection afterwards");
        }
        if (node.virtual().size() > 0) {
            left.add("receivers on virtual threads that do not return, although they were interrupted: "
                    + node.virtual().size());
        }
        if (unconfirmed > 0) {
            left.add("messages that were sent, and not confirmed within " + TimeLimit.text(limit) + ": " + unconfirmed);
        }
        long unhandled = node.dispatcher().messages();
        if (unhandled > 0) {
            left.add("messages that have come, and that no receiver has got: " + unhandled);
        }
        if (!left.isEmpty()) {
            boolean expected = threads.isEmpty() && complete && unconfirmed == 0;
            NodeLog.LOGGER.log(
                    expected ? Level.INFO : Level.WARNING,
                    "node " + node.config().id() + " is closed, and leaves " + String.join("; ", left));
        }
    }
}
