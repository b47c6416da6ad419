package org.galerna.messaging;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.galerna.link.LinkProvider;
import org.galerna.messaging.dispatch.Guarded;
import org.galerna.messaging.dispatch.LateAnswers;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.management.NodeManagement;
import org.galerna.messaging.management.NodePage;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.serialization.Serializers;
import org.galerna.messaging.service.Checks;
import org.galerna.messaging.service.Services;
import org.galerna.messaging.stream.Streams;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link MessagingNode} is to be. One thread. */
public final class NodeBuilder {
    private final int id;
    private final Map<Integer, InetSocketAddress> addresses = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final List<WireType<?>> types = new ArrayList<>();
    private final List<Registration<?>> receivers = new ArrayList<>();
    private final List<InetSocketAddress> seeds = new ArrayList<>();
    private @Nullable InetSocketAddress advertised;
    private byte[] key = {};
    private @Nullable KeySource keys;
    private @Nullable Authorization authorization;
    private @Nullable List<String> links;
    private int handlers = 2;
    private int window = 1 << 20;
    private long maximumMessage = 64L << 20;
    private int requests = 1 << 16;
    private long backlog = 64L << 20;
    private int lateAnswers = 1 << 14;
    private int connections = 4096;
    private int slots = 1024;
    private int frameBytes = 256 * 1024;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration sendTimeout = Duration.ofSeconds(30);
    private Duration closeTimeout = Duration.ofSeconds(5);
    private @Nullable MetricsListener metrics;
    private boolean jmx;
    private ConnectionListener listener = new ConnectionListener() {};

    private boolean started;

    private final FailureLog failures;
    private final Services services;
    private final Streams streams;

    NodeBuilder(int id) {
        this.id = id;
        this.failures = new FailureLog(id);
        this.services = new Services(id, failures);
        this.streams = new Streams(failures);
    }

    /** Where a node of the cluster listens. The node itself needs one too; its port may be 0. */
    public NodeBuilder address(int node, InetSocketAddress address) {
        addresses.put(node, Objects.requireNonNull(address, "the address is null"));
        return this;
    }

    /**
     * Where a node of the cluster listens, and a name by which this node may call it. Names are this node's own: others
     * may give the same node another one.
     *
     * @throws IllegalArgumentException if another node has that name
     */
    public NodeBuilder address(int node, String name, InetSocketAddress address) {
        Integer other = names.putIfAbsent(Objects.requireNonNull(name, "the name is null"), node);
        if (other != null && other != node) {
            throw new IllegalArgumentException("nodes " + other + " and " + node + " have the same name, " + name);
        }
        return address(node, address);
    }

    /**
     * Where a node listens that knows others; its number does not matter, and it may be this node itself. With one seed or
     * more, nodes are found whose addresses nobody has given, those that start later or elsewhere too.
     */
    public NodeBuilder seed(InetSocketAddress address) {
        seeds.add(Objects.requireNonNull(address, "the address is null"));
        return this;
    }

    /**
     * Where other nodes are told that this one listens, if not where it does: behind a translation of addresses, or when it
     * listens at all addresses of its host. Port 0 stands for the port at which it listens.
     */
    public NodeBuilder advertise(InetSocketAddress address) {
        advertised = Objects.requireNonNull(address, "the address is null");
        return this;
    }

    /** The secret of the cluster, at least 16 bytes. */
    public NodeBuilder key(byte[] secret) {
        key = Objects.requireNonNull(secret, "the key is null").clone();
        return this;
    }

    /** The secret of the cluster as a text of at least 16 bytes. */
    public NodeBuilder key(String secret) {
        return key(Objects.requireNonNull(secret, "the key is null").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The secrets of the cluster that are valid, from a source that is asked again and again: keys change without a stop.
     */
    public NodeBuilder keys(KeySource source) {
        keys = Objects.requireNonNull(source, "the source of the keys is null");
        return this;
    }

    /**
     * Names of the links that may be used, the fastest first. By default those that the links themselves ask for: threads,
     * shm, verbs, tcp.
     */
    public NodeBuilder links(String... names) {
        links = List.of(names);
        return this;
    }

    /** Two processes try one link after the other, so that none is worth it that only stands in for a faster one. */
    private static List<String> defaultLinks() {
        return LinkProvider.placed().stream()
                .filter(link -> link.substituteFor().isEmpty())
                .map(LinkProvider::name)
                .toList();
    }

    /** A type that is sent, or comes as a response. */
    public NodeBuilder type(MessageType<?> type) {
        types.add(type.wire());
        return this;
    }

    /** A type that is received, by ordered handling. */
    public <T> NodeBuilder receive(MessageType<T> type, Receiver<? super T> receiver) {
        return receive(type, Handling.ORDERED, receiver);
    }

    /**
     * A type that is received.
     *
     * @throws IllegalArgumentException if messages on virtual threads were to be read into one object
     */
    public <T> NodeBuilder receive(MessageType<T> type, Handling handling, Receiver<? super T> receiver) {
        if (handling == Handling.VIRTUAL && type.wire().reusable() != null) {
            throw new IllegalArgumentException(type + " is read into one object for each handler, which several virtual"
                    + " threads cannot share: take the type without reusing");
        }
        Objects.requireNonNull(handling, "the handling is null");
        Objects.requireNonNull(receiver, "the receiver is null");
        types.add(type.wire());
        receivers.add(new Registration<>(type.wire(), handling, receiver));
        return this;
    }

    /** A type that is received and answered later, by ordered handling. */
    public <T> NodeBuilder receiveAsync(MessageType<T> type, AsyncReceiver<? super T> receiver) {
        return receiveAsync(type, Handling.ORDERED, receiver);
    }

    /** A type that is received and answered later. */
    public <T> NodeBuilder receiveAsync(MessageType<T> type, Handling handling, AsyncReceiver<? super T> receiver) {
        Objects.requireNonNull(receiver, "the receiver is null");
        return receive(type, handling, new LateAnswers<>(failures, type.wire(), receiver));
    }

    /**
     * A service that other nodes may call with {@link MessagingNode#service}. Each call runs on a virtual thread of its own,
     * so the service is used by many threads at once. Methods may return futures, and then answer later.
     *
     * @throws IllegalArgumentException if it is no interface, or an argument or a result of a method is of a type that records
     *     cannot have as a component
     */
    public <S> NodeBuilder serve(Class<S> type, S service) {
        return serve(type, service, Serializers.NONE);
    }

    /**
     * A service that other nodes may call.
     *
     * @param own for arguments and results of classes that cannot be derived
     */
    public <S> NodeBuilder serve(Class<S> type, S service, Serializers own) {
        services.offer(
                type,
                Objects.requireNonNull(service, "the service is null"),
                Objects.requireNonNull(own, "the serializers are null"));
        return this;
    }

    /**
     * Messages of a type that other nodes may subscribe to with {@link MessagingNode#publisher}. The publisher is subscribed to
     * once for each of them, and is asked for as many messages as that node has asked for.
     */
    public <T> NodeBuilder publish(MessageType<T> type, Flow.Publisher<? extends T> publisher) {
        types.add(type.wire());
        streams.publish(type.wire(), publisher);
        return this;
    }

    /** What other nodes may send to this one; everything by default. */
    public NodeBuilder authorize(Authorization decision) {
        authorization = Objects.requireNonNull(decision, "the decision is null");
        return this;
    }

    /** Threads that run receivers; 2 by default. */
    public NodeBuilder handlers(int threads) {
        handlers = threads;
        return this;
    }

    /**
     * Bytes on the way to a node or waiting there, at most; 1 MiB by default. Of two nodes with different windows the smaller one
     * counts.
     */
    public NodeBuilder window(int bytes) {
        window = bytes;
        return this;
    }

    /** Bytes that a message may have; 64 MiB by default. A longer one is refused where it is sent. */
    public NodeBuilder maximumMessage(long bytes) {
        maximumMessage = bytes;
        return this;
    }

    /**
     * Requests with futures under way to a node, at most; 65,536 by default. One more fails at once, with reason {@link
     * MessagingException.Reason#OVERLOADED}.
     */
    public NodeBuilder requests(int most) {
        requests = most;
        return this;
    }

    /**
     * Bytes of requests with futures to a node that wait to be sent, at most; 64 MiB by default. One request may have more. What is
     * beyond that fails at once, with reason {@link MessagingException.Reason#OVERLOADED}.
     */
    public NodeBuilder backlog(long bytes) {
        backlog = bytes;
        return this;
    }

    /**
     * Requests of a node that this one may have left to be answered later, at most; 16,384 by default. These are requests whose
     * futures have not completed ({@link #receiveAsync}, services with futures), whose {@link Responder} was kept, and streams. While
     * there are so many, further requests of that node are refused with reason {@link MessagingException.Reason#OVERLOADED}. Requests
     * whose time is over do not count.
     */
    public NodeBuilder lateAnswers(int most) {
        lateAnswers = most;
        return this;
    }

    /**
     * Connections kept open at once, at most; 4,096 by default. When another one is opened, the one that was used least
     * recently is dismissed: it ends as soon as nothing is under way on it, and is used as before until then. So there may be
     * more while they are busy.
     */
    public NodeBuilder connections(int most) {
        connections = most;
        return this;
    }

    /** Size of the ring of a connection; see {@link org.galerna.link.LinkOptions}. */
    public NodeBuilder ring(int ringSlots, int ringFrameBytes) {
        slots = ringSlots;
        frameBytes = ringFrameBytes;
        return this;
    }

    /** How long to try to reach a node; 10 s by default. */
    public NodeBuilder connectTimeout(Duration duration) {
        connectTimeout = Objects.requireNonNull(duration, "the time is null");
        return this;
    }

    /** How long a send may wait for its receiver to make room; 30 s by default. */
    public NodeBuilder sendTimeout(Duration duration) {
        sendTimeout = Objects.requireNonNull(duration, "the time is null");
        return this;
    }

    /** How long closing may wait for what was sent to be processed; 5 s by default. */
    public NodeBuilder closeTimeout(Duration duration) {
        closeTimeout = Objects.requireNonNull(duration, "the time is null");
        return this;
    }

    /** What hears of connections. */
    public NodeBuilder listener(ConnectionListener hearer) {
        listener = Objects.requireNonNull(hearer, "the listener is null");
        return this;
    }

    /** What hears of requests, receivers and connections, for a library of metrics. */
    public NodeBuilder metrics(MetricsListener hearer) {
        metrics = Objects.requireNonNull(hearer, "the listener for metrics is null");
        return this;
    }

    /** Shows the node by JMX, as {@code org.galerna:type=Node,id=…}; see {@link NodeMxBean}. The first one takes 0.2 s to start. */
    public NodeBuilder jmx() {
        jmx = true;
        return this;
    }

    private <T> Registration<T> guarded(Registration<T> registration) {
        Authorization decision = authorization;
        if (decision == null) {
            return registration;
        }
        MessageType<T> type = MessageType.of(registration.type());
        return new Registration<>(
                registration.type(),
                registration.handling(),
                new Guarded<>(registration.receiver(), sender -> decision.maySend(sender, type), type.toString()));
    }

    private void guardOffers() {
        Authorization decision = authorization;
        if (decision != null) {
            services.guard(decision::mayCall);
            streams.guard((sender, type) -> decision.maySend(sender, MessageType.of(type)));
        }
    }

    /** What was configured so far. */
    NodeConfig config() {
        return new NodeConfig(
                id,
                addresses,
                seeds,
                advertised,
                key,
                links == null ? defaultLinks() : links,
                handlers,
                window,
                maximumMessage,
                requests,
                backlog,
                lateAnswers,
                connections,
                slots,
                frameBytes,
                connectTimeout,
                sendTimeout,
                closeTimeout);
    }

    /**
     * Starts the node. A builder starts one.
     *
     * @throws IllegalArgumentException if something is missing or impossible
     * @throws IllegalStateException if this builder has started a node
     * @throws MessagingException if it cannot listen at its address
     */
    public MessagingNode start() {
        if (started) {
            throw new IllegalStateException("this builder has started node " + id + " already: take another one");
        }
        ClusterKeys valid = keys == null ? null : ClusterKeys.of(id, keys);
        if (valid != null) {
            key = valid.current().getFirst();
        }
        NodeConfig config = config();
        try {
            List<WireType<?>> known = new ArrayList<>(types);
            known.addAll(services.types());
            known.addAll(streams.types());
            known.addAll(Checks.types());
            List<Registration<?>> receiving = new ArrayList<>();
            receivers.forEach(each -> receiving.add(guarded(each)));
            guardOffers();
            receiving.addAll(services.receivers());
            receiving.add(Checks.receiver());
            receiving.addAll(streams.receivers());
            Node node = new Node(
                    config,
                    known,
                    receiving,
                    listener,
                    metrics,
                    failures,
                    valid != null ? valid : ClusterKeys.of(id, key));
            streams.belongTo(node);
            node.start();
            started = true;
            Runnable bean = jmx
                    ? NodeManagement.register(id, node.peers().address(), node::statistics, node::health)
                    : () -> {};
            Runnable page = NodePage.show(id, node::statistics, node::health, node::queued, node::gathered);
            return new MessagingNode(config, node, services, streams, Map.copyOf(names), () -> {
                bean.run();
                page.run();
            });
        } catch (IOException failed) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE, "node " + id + " " + failed.getMessage(), failed);
        }
    }
}
