package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.messaging.Ticks.MOST_ASKED;
import static org.galerna.messaging.Ticks.TICK;
import static org.galerna.messaging.Ticks.publishing;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.galerna.messaging.Ticks.Counter;
import org.galerna.messaging.Ticks.Listener;
import org.galerna.messaging.Ticks.Tick;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** Streams of which a node says what it must not. */
class ForgedStreamsTest {
    /** An item as it is written. */
    record Forged(long stream, long number, byte type, byte version, long tick) {}

    record Opened(long stream, int type) {}

    record Begun(long stream) {}

    @Test
    void anItemThatWasNotAskedForEndsTheStream() throws IOException {
        WireType<Opened> open = new WireType<>(
                TypeTable.FIRST_INTERNAL_ID + 3, 0, Opened.class, RecordSerializer.of(Opened.class), null);
        WireType<Begun> begun =
                new WireType<>(TypeTable.FIRST_INTERNAL_ID + 4, 0, Begun.class, RecordSerializer.of(Begun.class), null);
        WireType<Forged> item = new WireType<>(
                TypeTable.FIRST_INTERNAL_ID + 8, 0, Forged.class, RecordSerializer.of(Forged.class), null);
        BlockingQueue<Long> opened = new LinkedBlockingQueue<>();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            Node forger = new Node(
                    cluster.builder(3).config(),
                    List.of(open, begun, item),
                    List.of(new Registration<>(open, Handling.ORDERED, (asked, delivery) -> {
                        Responder ignored = delivery.responder(); // the stream is open
                        opened.add(asked.stream());
                    })),
                    new ConnectionListener() {});
            forger.start();
            try {
                one.addAddress(3, forger.peers().address());
                Listener listener = new Listener(Long.MAX_VALUE);
                one.publisher(3, Tick.class).subscribe(listener);
                Deadline.after(Cluster.PATIENCE).await("the subscription", () -> !opened.isEmpty());
                long stream = opened.remove();
                forger.sender().send(1, new Begun(stream));
                forger.sender().send(1, new Forged(stream, 0, (byte) 1, (byte) 0, 7));
                forger.sender().send(1, new Forged(stream, MOST_ASKED - 1, (byte) 1, (byte) 0, 8));
                listener.awaitHeard(1);
                assertThat(listener.failure).isNull();
                forger.sender().send(1, new Forged(stream, MOST_ASKED, (byte) 1, (byte) 0, 9));
                assertThat(listener.awaitFailure()).hasMessageContainingAll("not asked for", "item 16384");
                listener.awaitHeard(1);
            } finally {
                forger.close();
            }
        }
    }

    /** The numbers of streams tell it which one another node has. */
    @Test
    void whatAnotherNodeSaysOfAStreamDoesNotCount() throws IOException {
        WireType<Opened> open = new WireType<>(
                TypeTable.FIRST_INTERNAL_ID + 3, 0, Opened.class, RecordSerializer.of(Opened.class), null);
        WireType<Forged> item = new WireType<>(
                TypeTable.FIRST_INTERNAL_ID + 8, 0, Forged.class, RecordSerializer.of(Forged.class), null);
        BlockingQueue<Long> opened = new LinkedBlockingQueue<>();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, new Counter(Long.MAX_VALUE, null));
            Node forger = new Node(
                    cluster.builder(3).config(),
                    List.of(open, item),
                    List.of(new Registration<>(open, Handling.ORDERED, (asked, _) -> opened.add(asked.stream()))),
                    new ConnectionListener() {});
            forger.start();
            try {
                one.addAddress(3, forger.peers().address());
                one.publisher(3, Tick.class).subscribe(new Listener(0));
                Deadline.after(Cluster.PATIENCE).await("the subscription", () -> !opened.isEmpty());
                Listener listener = new Listener(0);
                one.publisher(2, Tick.class).subscribe(listener);
                forger.sender().send(1, new Forged(opened.remove() + 1, 0, (byte) 1, (byte) 0, 666));
                Deadline.after(Cluster.PATIENCE).await("the forged item", () -> {
                    PeerStatistics peer = one.statistics().peer(3);
                    return peer != null && peer.handled() > 0;
                });
                listener.subscription().request(3);
                listener.awaitHeard(3);
                assertThat(listener.heard).containsExactly(0L, 1L, 2L);
                assertThat(listener.failure).isNull();
            } finally {
                forger.close();
            }
        }
    }
}
