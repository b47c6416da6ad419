package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes send each other. */
class NodesTest {
    record Text(String text, long number) {}

    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Bulk(long number, byte[] bytes) {}

    static final MessageType<Text> TEXT = MessageType.record(1, 0, Text.class);
    static final MessageType<Bulk> BULK = MessageType.record(2, 0, Bulk.class);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp", "unix"})
    void messagesArriveInOrder(String link) {
        List<Text> received = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            cluster.start(
                    2,
                    node -> node.receive(TEXT, (text, from) -> {
                        assertThat(from.sender()).isEqualTo(1);
                        received.add(text);
                    }));
            for (int each = 0; each < 10_000; each++) {
                one.send(2, new Text("message", each));
            }
            Cluster.patience().await("all messages", () -> received.size() == 10_000);
        }
        for (int each = 0; each < 10_000; each++) {
            assertThat(received.get(each)).isEqualTo(new Text("message", each));
        }
    }

    @Test
    void aNodeSendsToItself() {
        AtomicLong sum = new AtomicLong();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.receive(TEXT, (text, from) -> {
                        sum.addAndGet(text.number());
                        if (from.isRequest()) {
                            from.respond(new Text("self", from.sender()));
                        }
                    }));
            one.send(1, new Text("a", 5));
            assertThat(one.request(1, new Text("b", 6), Text.class, Cluster.PATIENCE))
                    .isEqualTo(new Text("self", 1));
            assertThat(sum).hasValue(11);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void largeMessagesTravelBothWaysAtOnce(String link) {
        AtomicInteger received = new AtomicInteger();
        Receiver<Bulk> receiver = (bulk, from) -> {
            assertThat(bulk.bytes()).hasSize(3_000_000);
            assertThat(bulk.bytes()[2_999_999]).isEqualTo((byte) bulk.number());
            received.incrementAndGet();
            if (from.isRequest()) {
                from.respond(bulk);
            }
        };
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one =
                    cluster.start(1, node -> node.receive(BULK, receiver).window(64 * 1024));
            MessagingNode two =
                    cluster.start(2, node -> node.receive(BULK, receiver).window(64 * 1024));
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < 4; each++) {
                int number = each;
                MessagingNode from = each % 2 == 0 ? one : two;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int round = 0; round < 5; round++) {
                        byte[] bytes = new byte[3_000_000];
                        bytes[2_999_999] = (byte) (number + round);
                        Bulk bulk = new Bulk(number + round, bytes);
                        from.send(3 - from.id(), bulk);
                        Bulk answer = from.request(3 - from.id(), bulk, Bulk.class, Cluster.PATIENCE);
                        assertThat(answer.number()).isEqualTo(bulk.number());
                    }
                }));
            }
            Cluster.patience()
                    .await("all have been sent", () -> threads.stream().noneMatch(Thread::isAlive));
            Cluster.patience().await("all have come", () -> received.get() == 40);
        }
    }

    /** Nobody but the sending thread and the guard polls at the asking node; what the answer leads to is a message, too. */
    @Test
    void aResponseThatComesInTheMiddleOfALargeMessageMayLeadToAnother() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Responder> question = new AtomicReference<>();
        AtomicInteger received = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(BULK)
                            .receive(TEXT, (_, _) -> release.await())
                            .handlers(1)
                            .window(64 * 1024)
                            .listener(new ConnectionListener() {
                                @Override
                                public void onDisconnected(int peer, String reason, long messages) {
                                    if (!reason.equals("this node is closed")) {
                                        ends.incrementAndGet();
                                    }
                                }
                            }));
            cluster.start(
                    2,
                    node -> node.receive(TEXT, (_, from) -> question.set(from.responder()))
                            .receive(BULK, (bulk, _) -> {
                                assertThat(bulk.bytes())
                                        .hasSize(20_000_000)
                                        .startsWith((byte) bulk.number())
                                        .endsWith((byte) bulk.number());
                                received.incrementAndGet();
                            }));
            try {
                one.send(1, new Text("holds the handler up", 0));
                CompletableFuture<Void> chain = one.requestAsync(2, new Text("x", 1), Text.class, Cluster.PATIENCE)
                        .thenAccept(_ -> one.send(2, bulk(2)));
                Cluster.patience().await("the question", () -> question.get() != null);
                long blocked = one.statistics().blockedSends();
                Thread sending = Thread.ofPlatform().start(() -> one.send(2, bulk(1)));
                Cluster.patience()
                        .await("room that is waited for", () -> one.statistics().blockedSends() > blocked);
                question.get().respond(new Text("y", 1));
                Cluster.patience().await("both messages", () -> received.get() == 2 && !sending.isAlive());
                chain.join();
                assertThat(ends).hasValue(0);
            } finally {
                release.countDown();
            }
        }
    }

    private static Bulk bulk(int number) {
        byte[] bytes = new byte[20_000_000];
        Arrays.fill(bytes, (byte) number);
        return new Bulk(number, bytes);
    }

    /** A hundred threads of both nodes ask at the same time. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void manyThreadsOpenOneConnection(String link) throws InterruptedException {
        Set<String> opened = ConcurrentHashMap.newKeySet();
        AtomicInteger connections = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void onConnected(int node, String name) {
                opened.add(name);
                connections.incrementAndGet();
            }
        };
        Receiver<Text> count = (_, _) -> received.incrementAndGet();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one =
                    cluster.start(1, node -> node.receive(TEXT, count).listener(listener));
            MessagingNode two =
                    cluster.start(2, node -> node.receive(TEXT, count).listener(listener));
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < 100; each++) {
                MessagingNode from = each % 2 == 0 ? one : two;
                Thread.Builder kind = each % 3 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                threads.add(kind.start(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException interrupted) {
                        throw new AssertionError(interrupted);
                    }
                    for (int round = 0; round < 20; round++) {
                        from.send(3 - from.id(), new Text("x", round));
                    }
                }));
            }
            go.countDown();
            for (Thread each : threads) {
                each.join();
            }
            Cluster.patience().await("all messages", () -> received.get() == 2000);
            assertThat(connections).hasValue(2); // one at each end
            assertThat(opened).containsExactly(link);
        }
    }

    @Test
    void theWindowIsNotOvershot() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK).window(64 * 1024));
            cluster.start(
                    2,
                    node -> node.receive(BULK, (_, _) -> {
                        release.await();
                        received.incrementAndGet();
                    }));
            AtomicInteger sent = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < 8; each++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int round = 0; round < 100; round++) {
                        one.send(2, new Bulk(round, new byte[1000]));
                        sent.incrementAndGet();
                    }
                }));
            }
            Cluster.patience().await("senders that wait", () -> one.statistics().blockedSends() >= 8);
            assertThat(sent.get()).isBetween(55, 64); // a message takes 1024 bytes
            while (one.trySend(2, new Bulk(0, new byte[1000]))) {
                sent.incrementAndGet();
            }
            assertThat(sent.get() * 1024).isLessThanOrEqualTo(64 * 1024);
            int extra = sent.get();
            release.countDown();
            for (Thread each : threads) {
                each.join();
            }
            Cluster.patience().await("all messages", () -> received.get() >= 800);
            assertThat(extra).isLessThanOrEqualTo(64);
        }
    }

    @Test
    void aNodeThatIsStartedLateOrAgainIsReached() {
        AtomicLong last = new AtomicLong();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            for (int round = 1; round <= 3; round++) {
                int number = round;
                MessagingNode two = cluster.start(2, node -> node.receive(TEXT, (text, _) -> last.set(text.number())));
                Cluster.patience().await("a message to the node's start " + round, () -> {
                    one.send(2, new Text("x", number));
                    return last.get() == number;
                });
                cluster.remove(two);
            }
        }
    }

    @Test
    void strangersAreRefused() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            MessagingNode stranger = cluster.start(
                    2, node -> node.type(TEXT).key("another cluster's secret").connectTimeout(Duration.ofSeconds(20)));
            assertThatThrownBy(() -> stranger.send(1, new Text("let me in", 0)))
                    .isInstanceOf(MessagingException.class)
                    .hasMessageContaining("does not know the key");
            assertThat(one.statistics().connections()).isZero();
        }
    }

    /** What was claimed for it is given up, and what follows arrives. */
    @Test
    void aSerializerThatThrowsDoesNoHarm() {
        AtomicInteger received = new AtomicInteger();
        MessagingNode[] nodes = new MessagingNode[1];
        AtomicInteger passes = new AtomicInteger(); // the first one only measures
        MessageType<Integer> type = MessageType.of(9, 0, Integer.class, new Serializer<>() {
            @Override
            public void write(Integer value, Exporter out) {
                out.writeInt(value);
                if (value == 1) {
                    throw new IllegalStateException("half written");
                }
                if (value == 2) {
                    nodes[0].send(2, 5);
                }
                if (value >= 100_000) {
                    for (int each = 0; each < value; each++) {
                        out.writeByte((byte) each);
                        if (value == 100_001 && each == 90_000 && passes.incrementAndGet() == 2) {
                            throw new IllegalStateException("half sent");
                        }
                    }
                }
            }

            @Override
            public Integer read(Importer in, @Nullable Integer reused) {
                return in.readInt();
            }
        });
        try (Cluster cluster = new Cluster("threads")) {
            nodes[0] = cluster.start(1, node -> node.type(type));
            cluster.start(2, node -> node.receive(type, (value, _) -> received.addAndGet(value)));
            for (int round = 0; round < 3000; round++) {
                assertThatThrownBy(() -> nodes[0].send(2, 1)).hasMessage("half written");
            }
            assertThatThrownBy(() -> nodes[0].send(2, 2)).hasMessageContaining("must not send");
            assertThatThrownBy(() -> nodes[0].send(2, 100_001)).hasMessage("half sent");
            nodes[0].send(2, 7);
            nodes[0].send(2, 200_000);
            Cluster.patience().await("what was whole", () -> received.get() == 200_007);
            assertThat(nodes[0].statistics().sent()).isEqualTo(3); // the abandoned one had begun
        }
    }

    @Test
    void aMessageToSeveralNodesIsTriedForAllOfThem() {
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT).connectTimeout(Duration.ofSeconds(1)));
            for (int other = 2; other <= 3; other++) {
                cluster.start(other, node -> node.receive(TEXT, (_, _) -> received.incrementAndGet()));
            }
            assertThatThrownBy(() -> one.send(List.of(98, 2, 99, 3), new Text("x", 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 of 4 nodes")
                    .hasMessageContaining("no address of a node 98")
                    .hasMessageContaining("no address of a node 99");
            Cluster.patience().await("the others", () -> received.get() == 2);
            one.addAddress(5, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
            assertThatThrownBy(() -> one.send(List.of(5, 99, 3, 2), new Text("x", 0)))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.UNREACHABLE))
                    .hasMessageContaining("node 5 at ")
                    .hasMessageContaining("no address of a node 99");
            Cluster.patience().await("the others", () -> received.get() == 4);
            one.send(List.of(2, 3), new Text("x", 0));
            Cluster.patience().await("both", () -> received.get() == 6);
        }
    }

    @Test
    void misuseIsNamed() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            assertThatThrownBy(() -> one.send(7, new Text("x", 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("node 1 has no address of a node 7");
            assertThatThrownBy(() -> one.send(70_000, new Text("x", 0))).hasMessageContaining("0 to 65534");
            assertThatThrownBy(() -> one.send(1, "text")).hasMessageContaining("java.lang.String");
            assertThatThrownBy(() -> cluster.builder(3).key("short").start()).hasMessageContaining("16 bytes");
            assertThatThrownBy(() -> cluster.builder(3).key((String) null)).hasMessage("the key is null");
            assertThatThrownBy(() -> cluster.builder(3)
                            .address(3, InetSocketAddress.createUnresolved("nowhere.invalid", 7000))
                            .start())
                    .hasMessageContaining("nowhere.invalid:7000: the host is not known");
            one.close();
            assertThatThrownBy(() -> one.send(1, new Text("x", 0)))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.CLOSED));
        }
    }
}
