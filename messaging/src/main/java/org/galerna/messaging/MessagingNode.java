package org.galerna.messaging;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.service.Checks;
import org.galerna.messaging.service.Services;
import org.galerna.messaging.stream.Streams;
import org.galerna.messaging.support.FailureLog;

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
    private static final Duration USUAL_CALL = Duration.ofSeconds(30);

    private final Node node;
    private final Services services;
    private final Streams streams;
    private final Map<String, Integer> names;
    private final Runnable closed;

    /** A node that offers nothing. */
    MessagingNode(NodeConfig config, Node node) {
        this(config, node, new FailureLog(config.id()));
    }

    private MessagingNode(NodeConfig config, Node node, FailureLog failures) {
        this(config, node, new Services(config.id(), failures), new Streams(failures), Map.of(), () -> {});
    }

    MessagingNode(
            NodeConfig config,
            Node node,
            Services services,
            Streams streams,
            Map<String, Integer> names,
            Runnable closed) {
        this.closed = closed;
        this.names = names;
        this.config = config;
        this.node = node;
        this.services = services;
        this.streams = streams;
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
        return node.peers().address();
    }

    /** Tells where a node listens that joins, or has moved. */
    public void addAddress(int number, InetSocketAddress address) {
        node.peers().addAddress(number, Objects.requireNonNull(address, "the address is null"));
    }

    /**
     * Number of the node that {@link NodeBuilder#address(int, String, InetSocketAddress)} has given this name.
     *
     * @throws IllegalArgumentException if no node has it
     */
    public int node(String name) {
        Integer number = names.get(name);
        if (number == null) {
            throw new IllegalArgumentException(
                    "node " + id() + " knows no node by the name " + name + ", only " + new TreeSet<>(names.keySet()));
        }
        return number;
    }

    /** Numbers of the nodes whose addresses this one has been given or has found, its own among them. */
    public Set<Integer> knownNodes() {
        return node.peers().known();
    }

    /** What the node has done so far. */
    public NodeStatistics statistics() {
        return node.statistics();
    }

    // ---- messages

    /**
     * Sends a message to a node, which may be this one. Returns when it is on its way.
     *
     * @throws IllegalArgumentException if its class has no type, its node no address, or it is too long
     * @throws MessagingException if the node cannot be reached, or makes no room in time
     */
    public void send(int to, Object message) {
        node.sender().send(to, message);
    }

    /** As {@link #send(int, Object)}, to a node with a name. */
    public void send(String to, Object message) {
        send(node(to), message);
    }

    /**
     * Sends a message to several nodes. All are tried, whatever happens to some.
     *
     * @throws IllegalArgumentException after all were tried, if {@link #send(int, Object)} throws nothing else but this
     * @throws MessagingException after all were tried, if it cannot be sent to some; the message names each of them, and
     *     the reason is that of the first
     */
    public void send(Collection<Integer> nodes, Object message) {
        node.sender().send(nodes, message);
    }

    /**
     * Sends a message if that is possible without waiting.
     *
     * @return false if there is no room at the moment, or no connection yet; it begins to be opened
     * @throws IllegalArgumentException as {@link #send(int, Object)}, and if the message does not fit into one frame
     */
    public boolean trySend(int to, Object message) {
        return node.sender().trySend(to, message);
    }

    /**
     * Sends what the calling thread has gathered, to all nodes. Short messages of a thread that sends many lie together for
     * some microseconds after the last one; a thread that does not want to wait for that calls this after it.
     *
     * @throws MessagingException if a node makes no room in time
     */
    public void flush() {
        node.sender().flush();
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
    public <R> R request(int to, Object message, Class<R> response, Duration timeout) {
        return node.requester()
                .request(
                        to,
                        Objects.requireNonNull(message, "the message is null"),
                        Objects.requireNonNull(response, "the class of the response is null"),
                        Objects.requireNonNull(timeout, "the time is null"));
    }

    /** As {@link #request(int, Object, Class, Duration)}, of a node with a name. */
    public <R> R request(String to, Object message, Class<R> response, Duration timeout) {
        return request(node(to), message, response, timeout);
    }

    /**
     * Asks a node, and never waits: what cannot be sent at once is kept, as it is now, until it can be sent or its time is
     * over. The future completes with the response. If the request fails, for whatever reason, the future fails with what
     * {@link #request} would throw; cancelling it only means that nobody waits for the response any more. What depends on it
     * runs on a handler, as receivers do, or on a virtual thread. Use the methods of the future whose names end with "Async"
     * for what takes time.
     */
    public <R> CompletableFuture<R> requestAsync(int to, Object message, Class<R> response, Duration timeout) {
        return node.requester()
                .requestAsync(
                        to,
                        Objects.requireNonNull(message, "the message is null"),
                        Objects.requireNonNull(response, "the class of the response is null"),
                        Objects.requireNonNull(timeout, "the time is null"));
    }

    /** As {@link #requestAsync(int, Object, Class, Duration)}, of a node with a name. */
    public <R> CompletableFuture<R> requestAsync(String to, Object message, Class<R> response, Duration timeout) {
        return requestAsync(node(to), message, response, timeout);
    }

    // ---- services and streams

    /**
     * A service of another node, whose calls may take 30 seconds. The other node offers it with {@link NodeBuilder#serve}.
     *
     * @throws IllegalArgumentException as {@link NodeBuilder#serve}
     */
    public <S> S service(int at, Class<S> type) {
        return service(at, type, USUAL_CALL);
    }

    /**
     * A service of another node: an object whose methods are called there. A method waits for its result; one that returns a
     * {@link CompletableFuture} never waits. Methods with a body run here. Nothing is sent before the first call. Any number
     * of threads may use it.
     *
     * <p>What the method throws there comes as {@link ServiceException}, or as itself if the method declares it and it can be
     * made of a text. Whatever else goes wrong is a {@link MessagingException}, with reason {@link
     * MessagingException.Reason#NOT_OFFERED} if the node has no such method.
     *
     * @param timeout for everything that a call takes
     * @throws IllegalArgumentException as {@link NodeBuilder#serve}
     */
    public <S> S service(int at, Class<S> type, Duration timeout) {
        return service(at, type, timeout, Serializers.NONE);
    }

    /**
     * A service of another node.
     *
     * @param own for arguments and results of classes that cannot be derived
     */
    public <S> S service(int at, Class<S> type, Duration timeout, Serializers own) {
        Peers.checkNode(at);
        return services.proxy(node.requester(), at, type, Objects.requireNonNull(timeout, "the time is null"), own);
    }

    /** As {@link #service(int, Class, Duration)}, of a node with a name. */
    public <S> S service(String at, Class<S> type, Duration timeout) {
        return service(node(at), type, timeout);
    }

    /**
     * The messages of a type that another node publishes with {@link NodeBuilder#publish}. Each subscription is a stream of
     * its own: the publisher is asked for as many messages as the subscriber has asked for, at most 16,384 at a time, in their
     * order, and cancelled with it. A stream ends as its publisher ends it, or with a {@link MessagingException} when the connection is lost or this
     * node is closed. Subscribers run on handlers, one call after the other; one that waits
     * holds up the ordered messages of that node.
     *
     * @throws IllegalArgumentException if the class has no type
     */
    public <T> Flow.Publisher<T> publisher(int at, Class<T> type) {
        Peers.checkNode(at);
        return streams.publisher(at, type);
    }

    /** As {@link #publisher(int, Class)}, of a node with a name. */
    public <T> Flow.Publisher<T> publisher(String at, Class<T> type) {
        return publisher(node(at), type);
    }

    // ---- life

    /** How the node is: whether its threads live, and what they are at. */
    public NodeHealth health() {
        return node.health();
    }

    /**
     * Whether another node answers: asks one of its handlers, and returns how long that took.
     *
     * @param timeout for everything, opening a connection too
     * @throws MessagingException if it does not answer: {@link MessagingException#reason} says why
     */
    public Duration check(int other, Duration timeout) {
        return Checks.check(node.requester(), other, timeout);
    }

    /** As {@link #check(int, Duration)}, of a node with a name. */
    public Duration check(String other, Duration timeout) {
        return check(node(other), timeout);
    }

    /** As {@link #check(int, Duration)}, within the time that {@link NodeBuilder#connectTimeout} says. */
    public Duration check(int other) {
        return check(other, config.connectTimeout());
    }

    /** As {@link #close()}, within another time than {@link NodeBuilder#closeTimeout} says. */
    public void close(Duration limit) {
        Objects.requireNonNull(limit, "the time is null");
        streams.close("node " + id() + " is closed");
        node.close(limit);
        closed.run();
    }

    /**
     * Closes the node, within the time that {@link NodeBuilder#closeTimeout} says and some tenths of a second. From its
     * beginning on nothing can be sent but responses. It waits until what was sent is processed, and until receivers return;
     * when the time is over it interrupts those that have not returned, fails requests that are under way with reason
     * {@link MessagingException.Reason#CLOSED}, ends every connection, and logs what it leaves. An interrupt of the calling
     * thread means that the time is over. Other threads that close the node return when that is done, too. A serializer that closes
     * the node does not wait.
     */
    @Override
    public void close() {
        close(config.closeTimeout());
    }
}
