package org.galerna.messaging;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A node of a cluster whose nodes send each other typed objects. Made by a {@link #builder}; any number of platform or
 * virtual threads use it at once.
 *
 * <p>Messages are serialized straight into the memory that leads to the receiver, and gather there by themselves. A send
 * returns when that has happened, and waits only while the receiver has not processed enough of what was sent before.
 * Connections are opened when they are first used. A message arrives once, or the {@link ConnectionListener} hears that the
 * connection is gone, and how many messages may not have arrived.
 */
public final class MessagingNode implements AutoCloseable {
    private final NodeConfig config;
    private final Engine engine;
    private final Peers peers;
    private final Requester requester;
    private final Closing closing;

    MessagingNode(NodeConfig config, Engine engine, Peers peers) {
        this.config = config;
        this.engine = engine;
        this.peers = peers;
        this.requester = new Requester(engine, peers);
        this.closing = new Closing(engine, peers);
    }

    static MessagingNode start(NodeConfig config, Engine engine) throws IOException {
        Peers peers = new Peers(engine);
        engine.start(peers);
        peers.start();
        return new MessagingNode(config, engine, peers);
    }

    /** A node to be configured and started. */
    public static NodeBuilder builder(int id) {
        return new NodeBuilder(id);
    }

    /** Number of this node. */
    public int id() {
        return config.id();
    }

    /** How it is configured. */
    public NodeConfig config() {
        return config;
    }

    /** Where it listens; with the port that the system has chosen if the configured one was 0. */
    public InetSocketAddress address() {
        return peers.address();
    }

    /** Tells where a node listens that joins, or has moved. */
    public void addAddress(int node, InetSocketAddress address) {
        checkNode(node);
        peers.addAddress(node, address);
    }

    /** Numbers of the nodes whose addresses this one has been given or has found, its own among them. */
    public Set<Integer> knownNodes() {
        return peers.known();
    }

    /** What the node has done so far. */
    public NodeStatistics statistics() {
        return engine.statistics(peers.refusedCallers());
    }

    static void checkNode(int node) {
        if (node < 0 || node > NodeConfig.MAXIMUM_ID) {
            throw new IllegalArgumentException("a node's number is 0 to " + NodeConfig.MAXIMUM_ID + ", not " + node);
        }
    }

    // ---- messages

    /**
     * Sends a message to a node, which may be this one. Returns when it is on its way.
     *
     * @throws IllegalArgumentException if its class has no type, its node no address, or it is too long
     * @throws MessagingException if the node cannot be reached, or makes no room in time
     */
    public void send(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        send(scratch, node, scratch.typeOf(engine, message), message);
    }

    private <T> void send(SendScratch scratch, int node, MessageType<T> type, T message) {
        checkNode(node);
        if (scratch.hasQueued()) {
            requester.awaitQueued(scratch, node, TimeLimit.deadline(config.sendTimeout()));
        }
        Connection connection = peers.get(node);
        if (connection.send(scratch, type, Frames.MESSAGE, 0, message, Outbound.USUAL_DEADLINE, true)
                == Outbound.SENT) {
            return; // without a look at the clock, which would take as long as half of this
        }
        long deadline = TimeLimit.deadline(config.sendTimeout());
        do {
            retry(node, deadline); // the connection has just been lost, or perhaps ends: by the next one
        } while (peers.get(node).send(scratch, type, Frames.MESSAGE, 0, message, deadline, true) != Outbound.SENT);
    }

    static void retry(int node, long deadline) {
        if (System.nanoTime() - deadline > 0) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE, "the connection to node " + node + " ends again and again");
        }
        Thread.yield();
    }

    /**
     * Sends a message to several nodes. All are tried, whatever happens to some.
     *
     * @throws IllegalArgumentException after all were tried, if {@link #send(int, Object)} throws nothing else but this
     * @throws MessagingException after all were tried, if it cannot be sent to some; the message names each of them, and
     *     the reason is that of the first
     */
    public void send(Collection<Integer> nodes, Object message) {
        Map<Integer, RuntimeException> failures = new LinkedHashMap<>();
        for (int node : List.copyOf(nodes)) {
            try {
                send(node, message);
            } catch (MessagingException | IllegalArgumentException failed) {
                failures.put(node, failed);
            }
        }
        if (!failures.isEmpty()) {
            throw together(nodes.size(), failures);
        }
    }

    private static RuntimeException together(int nodes, Map<Integer, RuntimeException> failures) {
        String text = failures.entrySet().stream()
                .map(each -> "node " + each.getKey() + ": " + each.getValue().getMessage())
                .collect(Collectors.joining("; ", "not sent to " + failures.size() + " of " + nodes + " nodes: ", ""));
        RuntimeException first = failures.values().iterator().next();
        RuntimeException all = failures.values().stream()
                .filter(MessagingException.class::isInstance)
                .map(each -> ((MessagingException) each).reason())
                .findFirst()
                .<RuntimeException>map(reason -> new MessagingException(reason, text, first))
                .orElseGet(() -> new IllegalArgumentException(text, first));
        failures.values().stream().skip(1).forEach(all::addSuppressed);
        return all;
    }

    /**
     * Sends a message if that is possible without waiting.
     *
     * @return false if there is no room at the moment, or no connection yet; it begins to be opened
     * @throws IllegalArgumentException as {@link #send(int, Object)}, and if the message does not fit into one frame
     */
    public boolean trySend(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        return trySend(scratch, node, scratch.typeOf(engine, message), message);
    }

    private <T> boolean trySend(SendScratch scratch, int node, MessageType<T> type, T message) {
        checkNode(node);
        if (scratch.hasQueued() && scratch.lastQueued(engine, node) != null) {
            return false;
        }
        Connection connection = peers.find(node);
        if (connection == null) {
            return false;
        }
        int result = connection.send(scratch, type, Frames.MESSAGE, 0, message, 0, false);
        if (result == Outbound.TOO_LONG) {
            throw new IllegalArgumentException(
                    "a message of " + type + " is longer than what can be sent without waiting: send it");
        }
        return result == Outbound.SENT;
    }

    /**
     * Sends what the calling thread has gathered, to all nodes. Short messages of a thread that sends many lie together for
     * some microseconds after the last one; who does not want to wait for that calls this after it.
     *
     * @throws MessagingException if a node makes no room in time
     */
    public void flush() {
        SendScratch.ofThread().flush(engine);
    }

    // ---- requests

    /**
     * Asks a node, and waits for its response. The limit holds for everything: opening a connection, waiting for room, and
     * the answer. One that is zero or negative is over at once. The other node drops the request when its time is over before
     * a receiver has got it.
     *
     * @throws IllegalArgumentException if the class of the message has no type, its node no address, or it is too long
     * @throws MessagingException if it fails: {@link MessagingException#reason} says how
     */
    public <R> R request(int node, Object message, Class<R> response, Duration timeout) {
        checkNode(node);
        return requester.request(node, message, Objects.requireNonNull(response), timeout);
    }

    /**
     * Asks a node, and never waits: what cannot be sent at once is kept, as it is now, until it can be sent or its time is
     * over. The future completes with the response. If the request fails, for whatever reason, the future fails with what
     * {@link #request} would throw; cancelling it only means that nobody waits for the response any more. What depends on it
     * runs on a handler, as receivers do, or on a virtual thread. Use the methods of the future whose names end with "Async"
     * for what takes time.
     */
    public <R> CompletableFuture<R> requestAsync(int node, Object message, Class<R> response, Duration timeout) {
        return requester.requestAsync(node, message, Objects.requireNonNull(response), timeout);
    }

    // ---- life

    /** How the node is: whether its threads live, and what they are at. */
    public NodeHealth health() {
        return engine.crew().health(closing.hasBegun());
    }

    /**
     * Closes the node, within the time that {@link NodeBuilder#closeTimeout} says and some tenths of a second. From its
     * beginning on nothing can be sent but responses. It waits until what was sent is processed, and until receivers return;
     * when the time is over it interrupts those that have not returned, fails requests that are under way with reason
     * {@link MessagingException.Reason#CLOSED}, ends every connection, and logs what it leaves. An interrupt of the calling
     * thread means that the time is over. Whoever else closes the node returns when that is done, too. A serializer that closes
     * the node does not wait.
     */
    @Override
    public void close() {
        closing.close();
    }
}
