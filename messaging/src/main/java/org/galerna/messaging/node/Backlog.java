package org.galerna.messaging.node;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.outbound.DeferredSend;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.pending.PendingRequest;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one node that could not be sent at once, because there is no connection or no room. A virtual thread sends
 * them one after the other. They are kept as bytes, for their objects may change after {@code requestAsync} has returned.
 *
 * <p>The order of what one thread sends is kept: a thread that has something here puts further requests behind it, and waits
 * for it before it sends anything else to that node ({@link SendScratch#lastDeferred}).
 */
final class Backlog {
    /** Sends a request over the connection of its node, and waits for room until its time is over. */
    @FunctionalInterface
    interface Way {
        /** Sends it. */
        void send(PendingRequest request, WireType<byte[]> type, byte[] message);
    }

    private final NodeParts parts;
    private final int node;
    private final Way way;

    // guarded by this
    private final Set<Queued> waiting = new LinkedHashSet<>();
    private long bytes; // of those that wait
    private boolean running;

    Backlog(NodeParts parts, int node, Way way) {
        this.parts = parts;
        this.node = node;
        this.way = way;
    }

    /** One of the requests. */
    static final class Queued extends DeferredSend {
        private final PendingRequest request;
        private final WireType<byte[]> type;
        private final byte[] message;

        private Queued(NodeParts parts, PendingRequest request, WireType<byte[]> type, byte[] message) {
            super(parts.send(), request.node());
            this.request = request;
            this.type = type;
            this.message = message;
        }
    }

    /**
     * Adds a request.
     *
     * @throws MessagingException if those that wait have as many bytes as they may have
     */
    Queued add(PendingRequest request, WireType<byte[]> type, byte[] message) {
        Queued queued = new Queued(parts, request, type, message);
        synchronized (this) {
            long limit = parts.config().backlog();
            if (!waiting.isEmpty() && bytes + message.length > limit) {
                String text =
                        "requests to node " + node + " of " + bytes + " bytes wait to be sent, and " + limit + " may";
                parts.events().limit(node, text);
                throw new MessagingException(MessagingException.Reason.OVERLOADED, text);
            }
            waiting.add(queued);
            bytes += message.length;
            if (!running) {
                start();
            }
        }
        return queued;
    }

    private synchronized void start() {
        Thread.ofVirtual().name(parts.threadName("requests-" + node)).start(this::run);
        running = true; // it needs the monitor before it sends or ends
    }

    /** Takes a request out that was sent, or has ended. */
    void remove(Queued queued) {
        synchronized (this) {
            if (waiting.remove(queued)) {
                bytes -= queued.message.length;
            }
        }
        queued.settle();
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
                way.send(next.request, next.type, next.message);
            } catch (MessagingException failed) {
                // a node that cannot be reached is the same for all of them; a time limit and a record are those of one
                boolean ofOne = failed.reason() == MessagingException.Reason.TIMEOUT
                        || failed.reason() == MessagingException.Reason.INCOMPATIBLE
                        || next.request.isOver();
                fail(ofOne ? List.of(next) : all(), failed);
            } catch (Throwable failed) { // such as no memory
                fail(
                        List.of(next),
                        new MessagingException(
                                MessagingException.Reason.UNREACHABLE,
                                "a request could not be sent to node " + node + ": " + ThrownText.describe(failed),
                                failed));
            } finally {
                remove(next);
            }
        }
    }

    /** Fails those that nobody has ended yet. */
    private void fail(List<Queued> queued, MessagingException failure) {
        List<PendingRequest> taken = queued.stream()
                .map(each -> each.request)
                .filter(parts.requests()::forget)
                .toList();
        parts.completions().failElsewhere(taken, _ -> failure);
        queued.forEach(this::remove);
    }
}
