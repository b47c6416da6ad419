package org.galerna.messaging.stream;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.dispatch.Guarded;
import org.galerna.messaging.dispatch.Origin;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.RequestResponder;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.stream.StreamMessages.Cancel;
import org.galerna.messaging.stream.StreamMessages.Demand;
import org.galerna.messaging.stream.StreamMessages.End;
import org.galerna.messaging.stream.StreamMessages.Item;
import org.galerna.messaging.stream.StreamMessages.Open;
import org.galerna.messaging.stream.StreamMessages.Opened;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a node, those that it publishes and those that it has subscribed to. The request that opens a stream is
 * under way until the stream ends: so it fails with the connection, and a connection with a stream is not dismissed.
 */
public final class Streams {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** A stream with another node. What another one says of it does not count. */
    private record Key(int other, long stream) {}

    private final FailureLog failures;
    private final Map<Integer, Flow.Publisher<?>> published = new HashMap<>(); // complete before the node starts
    private final Map<Key, Outflow> outflows = new ConcurrentHashMap<>();
    private final Map<Key, Inflow<?>> inflows = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong(new SecureRandom().nextLong()); // of no stream of an earlier start
    private final WireType<Item> itemType;
    private @Nullable Node node; // before it starts
    private @Nullable BiPredicate<Integer, WireType<?>> allowed; // before it starts

    /** Publishes nothing yet. */
    public Streams(FailureLog failures) {
        this.failures = failures;
        this.itemType = StreamMessages.itemType(() -> node().parts().send().types());
    }

    private Node node() {
        return Objects.requireNonNull(node);
    }

    /** The node that it belongs to; before that starts. */
    public void belongTo(Node one) {
        node = one;
        one.events().onLost(this::lost);
    }

    /**
     * Publishes messages of a type; before the node starts.
     *
     * @throws IllegalArgumentException if the type is published already
     */
    public void publish(WireType<?> type, Flow.Publisher<?> publisher) {
        if (published.putIfAbsent(type.id(), Objects.requireNonNull(publisher)) != null) {
            throw new IllegalArgumentException(type + " has two publishers");
        }
    }

    /** Asks whether a node may subscribe to a type; before the node starts. */
    public void guard(BiPredicate<Integer, WireType<?>> decision) {
        allowed = decision;
    }

    /** The types of what two nodes tell each other. */
    public List<WireType<?>> types() {
        return List.of(
                StreamMessages.OPEN,
                StreamMessages.OPENED,
                StreamMessages.DEMAND,
                StreamMessages.CANCEL,
                StreamMessages.END,
                itemType);
    }

    /**
     * What receives that. A publisher may give all that it is asked for while it is asked, and is cancelled meanwhile: so that
     * is told to it on threads of their own.
     */
    public List<Registration<?>> receivers() {
        return List.of(
                new Registration<>(StreamMessages.OPEN, Handling.VIRTUAL, this::open),
                new Registration<>(StreamMessages.DEMAND, Handling.VIRTUAL, this::demand),
                new Registration<>(StreamMessages.CANCEL, Handling.VIRTUAL, this::cancel),
                new Registration<>(StreamMessages.OPENED, Handling.ORDERED, this::opened),
                new Registration<>(itemType, Handling.ORDERED, this::item));
    }

    // ---- publishing

    private void open(Open open, Delivery delivery) {
        WireType<?> wanted = node().parts().send().types().find(open.type());
        BiPredicate<Integer, WireType<?>> decision = allowed;
        if (wanted != null && decision != null) {
            Guarded.check(() -> decision.test(delivery.sender(), wanted), delivery, "subscribe to type " + wanted);
        }
        RequestResponder responder = (RequestResponder) delivery.responder();
        Flow.Publisher<?> publisher = published.get(open.type());
        if (publisher == null) {
            responder.fail(
                    MessagingException.Reason.NOT_OFFERED,
                    "it publishes no messages of type " + (wanted == null ? open.type() : wanted));
            return;
        }
        Key key = new Key(delivery.sender(), open.stream());
        Outflow outflow = new Outflow(node().sender(), open.stream(), responder, failures, () -> outflows.remove(key));
        outflows.put(key, outflow);
        try {
            publisher.subscribe(outflow);
        } catch (Throwable thrown) {
            outflow.onError(thrown);
            throw thrown; // and is logged
        }
    }

    private void demand(Demand demand, Delivery delivery) {
        Outflow outflow = outflows.get(new Key(delivery.sender(), demand.stream()));
        if (outflow != null) {
            outflow.demand(demand.total());
        }
    }

    private void cancel(Cancel cancel, Delivery delivery) {
        Outflow outflow = outflows.get(new Key(delivery.sender(), cancel.stream()));
        if (outflow != null) {
            outflow.cancel();
        }
    }

    /** A connection has ended, and with it what was subscribed to over it: not over the one that has followed it. */
    private void lost(Origin connection) {
        outflows.values().stream().filter(each -> each.isOver(connection)).forEach(Outflow::cancel);
    }

    /** Ends what others have subscribed to: this node is about to end. */
    public void close(String reason) {
        outflows.values().forEach(each -> each.close(reason));
    }

    // ---- subscribing

    /** The messages of a type that another node publishes. Each subscription is a stream of its own. */
    public <T> Flow.Publisher<T> publisher(int from, Class<T> type) {
        int number = node().parts().send().types().ofClass(type).id();
        return subscriber -> subscribe(from, number, type, subscriber);
    }

    private <T> void subscribe(int from, int number, Class<T> type, Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "the subscriber is null");
        long stream = last.incrementAndGet();
        Inflow<T> inflow = new Inflow<>(type, subscriber, new Way(from, stream));
        Key key = new Key(from, stream);
        inflows.put(key, inflow);
        try {
            subscriber.onSubscribe(inflow);
        } catch (Throwable thrown) {
            inflows.remove(key);
            throw thrown;
        }
        if (!inflows.containsKey(key)) {
            return; // cancelled already
        }
        CompletableFuture<End> end =
                node().requester().requestAsync(from, new Open(stream, number), End.class, FOR_EVER);
        CompletableFuture<?> ignored = end.whenComplete((answer, failure) -> {
            if (failure != null) {
                inflow.failed(failure);
            } else {
                inflow.ended(answer);
            }
        });
    }

    private void opened(Opened opened, Delivery delivery) {
        Inflow<?> inflow = inflows.get(new Key(delivery.sender(), opened.stream()));
        if (inflow != null) {
            inflow.opened();
        } else {
            new Way(delivery.sender(), opened.stream()).leave(true);
        }
    }

    private void item(Item item, Delivery delivery) {
        Inflow<?> inflow = inflows.get(new Key(delivery.sender(), item.stream()));
        if (inflow != null) {
            inflow.item(item.number(), item.message());
        }
    }

    /** From a subscriber to a publisher. */
    private final class Way implements Inflow.Way {
        private final int publisher;
        private final long stream;

        Way(int publisher, long stream) {
            this.publisher = publisher;
            this.stream = stream;
        }

        @Override
        public void demand(long total) {
            node().sender().send(publisher, new Demand(stream, total));
            node().sender().flush();
        }

        @Override
        public void leave(boolean tell) {
            boolean ignored = inflows.remove(new Key(publisher, stream)) != null;
            if (tell) {
                try {
                    node().sender().send(publisher, new Cancel(stream));
                    node().sender().flush();
                } catch (RuntimeException gone) { // or there is no address of it
                    // then the publisher has lost the connection as well
                }
            }
        }

        @Override
        public void failed(Throwable thrown) {
            failures.report(() -> "a subscriber to a stream of node " + publisher + " has thrown", thrown);
        }
    }
}
