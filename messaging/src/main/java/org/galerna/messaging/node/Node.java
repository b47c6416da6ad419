package org.galerna.messaging.node;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.ConnectionListener;
import org.galerna.messaging.MetricsListener;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.NodeHealth;
import org.galerna.messaging.NodeStatistics;
import org.galerna.messaging.PeerStatistics;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.counters.PeerCounters;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.TypeCounts;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** A node: puts its rooms together, starts and ends its threads. */
public final class Node {
    /** Waiting threads of the application poll: a handler leaves the core to them and looks from time to time. */
    private static final long YIELD_NANOS = 100_000;

    private final NodeParts parts;
    private final ConnectionEvents events;
    private final Peers peers;
    private final Crew crew;
    private final List<Handler> handlers = new ArrayList<>();
    private final Crew.Member guard;
    private final Sender sender;
    private final Requester requester;
    private final Closing closing;

    /**
     * A node that listens, and has no threads yet.
     *
     * @param known types that it sends, or that come as responses
     * @param receivers of the types that it receives
     * @throws IOException if it cannot listen at its address
     */
    public Node(
            NodeConfig config, List<WireType<?>> known, List<Registration<?>> receivers, ConnectionListener listener)
            throws IOException {
        this(config, known, receivers, listener, 0, YIELD_NANOS);
    }

    /**
     * As the other one.
     *
     * @param metrics of the program; null if it has none
     * @param failures where it logs
     * @param keys of the cluster, in place of that of the configuration
     */
    public Node(
            NodeConfig config,
            List<WireType<?>> known,
            List<Registration<?>> receivers,
            ConnectionListener listener,
            @Nullable MetricsListener metrics,
            FailureLog failures,
            ClusterKeys keys)
            throws IOException {
        this(config, known, receivers, listener, metrics, 0, YIELD_NANOS, failures, keys);
    }

    /**
     * As the other one.
     *
     * @param lastRequest number before that of the first request
     * @param yieldNanos the longest time for which a handler leaves the polling to others
     */
    public Node(
            NodeConfig config,
            List<WireType<?>> known,
            List<Registration<?>> receivers,
            ConnectionListener listener,
            long lastRequest,
            long yieldNanos)
            throws IOException {
        this(
                config,
                known,
                receivers,
                listener,
                null,
                lastRequest,
                yieldNanos,
                new FailureLog(config.id()),
                ClusterKeys.of(config.id(), config.key()));
    }

    private Node(
            NodeConfig config,
            List<WireType<?>> known,
            List<Registration<?>> receivers,
            ConnectionListener listener,
            @Nullable MetricsListener metrics,
            long lastRequest,
            long yieldNanos,
            FailureLog failures,
            ClusterKeys keys)
            throws IOException {
        this.parts = new NodeParts(config, known, receivers, lastRequest, metrics, failures, this::lost);
        this.events = new ConnectionEvents(parts, listener);
        this.peers = new Peers(config, keys, parts.connections(), parts.poller(), failures, events);
        this.crew = new Crew(parts);
        for (int each = 0; each < config.handlers(); each++) {
            Handler handler = new Handler(parts, crew, yieldNanos);
            handlers.add(handler);
            crew.addHandler("handler-" + each, handler);
        }
        this.guard = crew.add("guard", new Guard(parts, crew, peers));
        this.sender = new Sender(parts, peers, events);
        this.requester = new Requester(parts, peers, sender, events, guard::wake);
        this.closing = new Closing(parts, crew, peers, events.announcer());
    }

    private void lost(Connection connection, String reason, boolean agreed) {
        peers.remove(connection);
        events.lost(connection, reason, agreed);
    }

    /** Starts the threads. */
    public void startThreads() {
        parts.wakeup().begin(handlers.size());
        crew.start();
    }

    /** Starts the threads, lets other nodes in, and begins to look for them. */
    public void start() {
        parts.events().started(this::statistics);
        startThreads();
        peers.start();
    }

    /** What its threads share. */
    public NodeParts parts() {
        return parts;
    }

    /** Its connections. */
    public Peers peers() {
        return peers;
    }

    /** Its threads. */
    public Crew crew() {
        return crew;
    }

    /** Hears of its connections. */
    public ConnectionEvents events() {
        return events;
    }

    /** Sends messages. */
    public Sender sender() {
        return sender;
    }

    /** Asks. */
    public Requester requester() {
        return requester;
    }

    /** How it is. */
    public NodeHealth health() {
        return crew.health(closing.hasBegun());
    }

    /** Number of messages that wait for handlers. */
    public long queued() {
        return parts.dispatcher().messages();
    }

    /** Number of messages that are gathered, and have not left yet. */
    public long gathered() {
        long gathered = 0;
        for (Connection each : parts.poller().connections()) {
            gathered += each.outbound().gathered();
        }
        return gathered;
    }

    /** What it has done so far. */
    public NodeStatistics statistics() {
        NodeCounters counters = parts.counters();
        long sent = counters.sentBefore();
        long blocked = counters.blockedBefore();
        Connection[] connections = parts.poller().connections();
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
                counters.responses(),
                counters.late(),
                counters.receiverFailures(),
                blocked,
                connections.length,
                parts.requests().size(),
                peers.refusedCallers(),
                counters.expired(),
                counters.fallbacks(),
                counters.peers().stream().map(each -> peer(each, connections)).toList(),
                TypeCounts.of(
                        handlers.stream().map(Handler::deliverer).toList(),
                        counters.sent().sums(),
                        parts.types()));
    }

    private PeerStatistics peer(int number, Connection... connections) {
        PeerCounters counters = parts.counters().peer(number);
        PeerCounters.Traffic traffic = counters.before();
        String link = "";
        long underWay = 0;
        for (Connection each : connections) {
            if (each.peer() == number && !each.isLost()) { // otherwise its counts are those before
                traffic = traffic.plus(each.traffic());
                link = each.link().name();
                underWay += each.credit().used();
            }
        }
        return new PeerStatistics(
                number,
                link,
                traffic.sent(),
                traffic.sentBytes(),
                traffic.handled(),
                traffic.handledBytes(),
                underWay,
                traffic.blocked(),
                Duration.ofNanos(traffic.waitedNanos()),
                counters.answered(),
                counters.failed(),
                counters.latency());
    }

    /** Closes it, or waits for the thread that does. */
    public void close() {
        close(parts.config().closeTimeout());
    }

    /** As {@link #close()}, within this time. */
    public void close(Duration limit) {
        closing.close(limit);
    }
}
