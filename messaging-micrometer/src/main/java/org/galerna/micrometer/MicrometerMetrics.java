package org.galerna.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MetricsListener;
import org.galerna.messaging.NodeStatistics;
import org.galerna.messaging.PeerStatistics;
import org.galerna.messaging.TypeStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Puts what a node does into a registry of Micrometer. One object for each node:
 *
 * <pre>{@code
 * MessagingNode.builder(1).metrics(new MicrometerMetrics(registry))
 * }</pre>
 *
 * <p>All meters have the tag {@code node}. They are taken out of the registry when the node is closed.
 */
public final class MicrometerMetrics implements MetricsListener {
    private static final String PREFIX = "galerna.messaging.";
    private static final String ANSWERED = "answered";

    private final MeterRegistry registry;
    private final Set<Meter.Id> meters = ConcurrentHashMap.newKeySet();
    private final Map<String, Timer> requests = new ConcurrentHashMap<>();
    private final Map<Class<?>, Timer> handling = new ConcurrentHashMap<>();
    private final Set<Integer> peers = ConcurrentHashMap.newKeySet();
    private final Set<Integer> types = ConcurrentHashMap.newKeySet();
    private Tags tags = Tags.empty(); // set before anything else is told
    private @Nullable Supplier<NodeStatistics> source;
    private @Nullable Counter disconnections;

    /** For one node. */
    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** One figure of a node's statistics, with what belongs to it for the program's pages. */
    private record Figure<T>(
            String name, String description, @Nullable String unit, ToDoubleFunction<T> value) {}

    private static <T> Figure<T> of(String name, String description, ToDoubleFunction<T> value) {
        return new Figure<>(name, description, null, value);
    }

    @Override
    public void onStarted(int node, Supplier<NodeStatistics> statistics) {
        tags = Tags.of("node", Integer.toString(node));
        source = statistics;
        counter(of("received", "Messages and requests handed to receivers", NodeStatistics::received));
        counter(of("late.responses", "Responses that nobody waited for any more", NodeStatistics::lateResponses));
        counter(of(
                "expired.requests", "Requests dropped because their time was over", NodeStatistics::expiredRequests));
        counter(of("receiver.failures", "Times that a receiver has thrown", NodeStatistics::receiverFailures));
        counter(of("refused.callers", "Callers that were none of the cluster", NodeStatistics::refusedCallers));
        counter(of("fallbacks", "Connections by a slower network", NodeStatistics::fallbacks));
        gauge(of("connections", "Connections at the moment", NodeStatistics::connections));
        gauge(of("pending.requests", "Requests without a response", NodeStatistics::pendingRequests));
        disconnections = Counter.builder(PREFIX + "disconnections")
                .description("Connections that have ended")
                .tags(tags)
                .register(registry);
        meters.add(disconnections.getId());
        statistics.get().types().forEach(each -> addType(each.type(), each.name()));
    }

    private void counter(Figure<NodeStatistics> figure) {
        register(figure, tags, all -> figure.value.applyAsDouble(all));
    }

    private void gauge(Figure<NodeStatistics> figure) {
        meters.add(Gauge.builder(PREFIX + figure.name, this, self -> self.value(figure.value))
                .description(figure.description)
                .tags(tags)
                .register(registry)
                .getId());
    }

    private void register(Figure<?> figure, Tags own, ToDoubleFunction<NodeStatistics> value) {
        meters.add(FunctionCounter.builder(PREFIX + figure.name, this, self -> self.value(value))
                .description(figure.description)
                .baseUnit(figure.unit)
                .tags(own)
                .register(registry)
                .getId());
    }

    private double value(ToDoubleFunction<NodeStatistics> figure) {
        Supplier<NodeStatistics> statistics = source;
        return statistics == null ? 0 : figure.applyAsDouble(statistics.get());
    }

    // ---- of each type

    private void addType(int number, String name) {
        if (types.add(number)) {
            Tags own = tags.and("type", name.substring(name.lastIndexOf('.') + 1));
            ofType(own, number, of("type.sent", "Messages sent of a type", TypeStatistics::sent));
            ofType(own, number, bytes("type.sent.bytes", "Bytes sent of a type", TypeStatistics::sentBytes));
            ofType(own, number, of("type.received", "Messages received of a type", TypeStatistics::received));
            ofType(
                    own,
                    number,
                    bytes("type.received.bytes", "Bytes received of a type", TypeStatistics::receivedBytes));
            ofType(own, number, of("type.failures", "Times that its receiver has thrown", TypeStatistics::failures));
        }
    }

    private static <T> Figure<T> bytes(String name, String description, ToDoubleFunction<T> value) {
        return new Figure<>(name, description, "bytes", value);
    }

    private void ofType(Tags own, int number, Figure<TypeStatistics> figure) {
        register(
                figure,
                own,
                all -> all.types().stream()
                        .filter(each -> each.type() == number)
                        .mapToDouble(figure.value)
                        .sum());
    }

    // ---- of each peer

    @Override
    public void onConnected(int peer, String link) {
        if (peers.add(peer)) {
            Tags own = tags.and("peer", Integer.toString(peer));
            ofPeer(own, peer, of("sent", "Messages, requests and responses sent", PeerStatistics::sent));
            ofPeer(own, peer, bytes("sent.bytes", "Bytes sent", PeerStatistics::sentBytes));
            ofPeer(own, peer, of("handled", "Messages whose receivers have returned", PeerStatistics::handled));
            ofPeer(own, peer, bytes("handled.bytes", "Bytes of those messages", PeerStatistics::handledBytes));
            ofPeer(own, peer, of("blocked.sends", "Sends that had to wait for room", PeerStatistics::blockedSends));
            ofPeer(
                    own,
                    peer,
                    new Figure<>(
                            "waited",
                            "Time that sends have waited for room",
                            "seconds",
                            each -> each.waited().toNanos() / 1e9));
            meters.add(Gauge.builder(
                            PREFIX + "under.way",
                            this,
                            self -> self.value(all -> {
                                PeerStatistics known = all.peer(peer);
                                return known == null ? 0 : known.underWay();
                            }))
                    .description("Bytes of the window in use")
                    .baseUnit("bytes")
                    .tags(own)
                    .register(registry)
                    .getId());
        }
    }

    private void ofPeer(Tags own, int peer, Figure<PeerStatistics> figure) {
        register(figure, own, all -> {
            PeerStatistics known = all.peer(peer);
            return known == null ? 0 : figure.value.applyAsDouble(known);
        });
    }

    // ---- what happens

    @Override
    public void onRequest(int peer, long nanos, MessagingException.@Nullable Reason failure) {
        String outcome = failure == null ? ANSWERED : failure.name().toLowerCase(Locale.ROOT);
        Timer timer = requests.computeIfAbsent(
                peer + " " + outcome,
                _ -> timer(
                        "requests",
                        "Time of requests",
                        tags.and("peer", Integer.toString(peer)).and("outcome", outcome)));
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onHandled(Class<?> type, long nanos) {
        Timer timer = handling.computeIfAbsent(
                type,
                known -> timer(
                        "handling",
                        "Time in receivers, of one message in " + TypeStatistics.SAMPLED,
                        tags.and(Tag.of("type", known.getSimpleName()))));
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(String name, String description, Tags own) {
        Timer timer =
                Timer.builder(PREFIX + name).description(description).tags(own).register(registry);
        meters.add(timer.getId());
        return timer;
    }

    @Override
    public void onDisconnected(int peer, String reason, long unconfirmed) {
        Counter counter = disconnections;
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void onClosed(int node) {
        meters.forEach(registry::remove);
        meters.clear();
        source = null;
    }
}
