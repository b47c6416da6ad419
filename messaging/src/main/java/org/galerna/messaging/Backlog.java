package org.galerna.messaging;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one node that could not be sent at once, because there is no connection or no room. A virtual thread sends
 * them one after the other. They are kept as bytes, for their objects may change after {@code requestAsync} has returned.
 *
 * <p>The order of what one thread sends is kept: a thread that has something here puts further requests behind it, and waits
 * for it before it sends anything else to that node ({@link SendScratch#lastQueued}).
 */
final class Backlog {
    private final Engine engine;
    private final int node;
    private final Requester requester;

    // guarded by this
    private final Set<Queued> waiting = new LinkedHashSet<>();
    private boolean running;

    Backlog(Engine engine, int node, Requester requester) {
        this.engine = engine;
        this.node = node;
        this.requester = requester;
    }

    boolean leadsTo(Engine ofEngine, int toNode) {
        return engine == ofEngine && node == toNode;
    }

    /** One of the requests. */
    static final class Queued {
        private final PendingRequest request;
        private final MessageType<byte[]> type;
        private final byte[] message;
        private final CountDownLatch settled = new CountDownLatch(1);

        private Queued(PendingRequest request, MessageType<byte[]> type, byte[] message) {
            this.request = request;
            this.type = type;
            this.message = message;
        }

        /** Whether it was sent, or never will be. */
        boolean isSettled() {
            return settled.getCount() == 0;
        }

        /** False if the time is over. */
        boolean awaitSettled(long nanos) throws InterruptedException {
            return settled.await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Adds a request. */
    Queued add(PendingRequest request, MessageType<byte[]> type, byte[] message) {
        Queued queued = new Queued(request, type, message);
        synchronized (this) {
            waiting.add(queued);
            if (!running) {
                start();
            }
        }
        return queued;
    }

    private synchronized void start() {
        Thread.ofVirtual().name(requester.threadName("requests-" + node)).start(this::run);
        running = true; // it needs the monitor before it sends or ends
    }

    /** Takes a request out that was sent, or has ended. */
    void remove(Queued queued) {
        synchronized (this) {
            waiting.remove(queued);
        }
        queued.settled.countDown();
    }

    private synchronized @Nullable Queued first() {
        return waiting.isEmpty() ? null : waiting.iterator().next();
    }

    private synchronized List<Queued> all() {
        return List.copyOf(waiting);
    }

    private void run() {
        try {
            sendAll();
        } finally {
            end();
        }
    }

    /** Another request may have come after the last look, or the thread dies before it has sent all. */
    private synchronized void end() {
        running = false;
        if (!waiting.isEmpty()) {
            start();
        }
    }

    private void sendAll() {
        Queued next;
        while ((next = first()) != null) {
            try {
                requester.send(next.request, next.type, next.message);
            } catch (MessagingException failed) {
                // a node that cannot be reached is the same for all of them; a time limit is that of one
                boolean ofOne = failed.reason() == MessagingException.Reason.TIMEOUT || next.request.isOver();
                fail(ofOne ? List.of(next) : all(), failed);
            } catch (Throwable failed) { // such as no memory
                fail(
                        List.of(next),
                        new MessagingException(
                                MessagingException.Reason.UNREACHABLE,
                                "a request could not be sent to node " + node + ": " + Thrown.describe(failed),
                                failed));
            } finally {
                remove(next);
            }
        }
    }

    private void fail(List<Queued> queued, MessagingException failure) {
        requester.fail(queued.stream().map(each -> each.request).toList(), failure);
        queued.forEach(this::remove);
    }
}
