package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that ask back, and receivers that answer later. */
@SuppressWarnings("ArrayRecordComponent")
class CirclesTest {
    record Depth(int left) {}

    record Bottom(int depth) {}

    record Large(byte[] bytes) {}

    private static final MessageType<Depth> DEPTH = MessageType.record(1, 0, Depth.class);
    private static final MessageType<Bottom> BOTTOM = MessageType.record(2, 0, Bottom.class);
    private static final MessageType<Large> LARGE = MessageType.record(3, 0, Large.class);

    /** Two nodes that ask each other in turns, as deep as they are told. */
    private static MessagingNode start(Cluster cluster, int id, int other, Handling handling, Duration limit) {
        MessagingNode[] self = new MessagingNode[1];
        self[0] = cluster.start(
                id,
                node -> node.type(BOTTOM).handlers(2).receive(DEPTH, handling, (depth, from) -> {
                    if (depth.left() == 0) {
                        from.respond(new Bottom(0));
                        return;
                    }
                    Bottom below = self[0].request(other, new Depth(depth.left() - 1), Bottom.class, limit);
                    from.respond(new Bottom(below.depth() + 1));
                }));
        return self[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void virtualReceiversAskBackAsDeepAsTheyLike(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = start(cluster, 1, 2, Handling.VIRTUAL, Cluster.PATIENCE);
            start(cluster, 2, 1, Handling.VIRTUAL, Cluster.PATIENCE);
            assertThat(one.request(2, new Depth(200), Bottom.class, Cluster.PATIENCE))
                    .isEqualTo(new Bottom(200));
        }
    }

    @Test
    void aCircleInWhichAllHandlersWaitIsNamedInTheLog() {
        try (LoggedLines lines = new LoggedLines();
                Cluster cluster = new Cluster("threads")) {
            MessagingNode one = start(cluster, 1, 2, Handling.ORDERED, Duration.ofSeconds(4));
            start(cluster, 2, 1, Handling.ORDERED, Duration.ofSeconds(4));
            assertThatThrownBy(() -> one.request(2, new Depth(20), Bottom.class, Duration.ofSeconds(4)))
                    .isInstanceOf(MessagingException.class);
            assertThat(lines.with(
                            "handlers wait for answers of node 1", "while messages of node 1 wait", "Handling.VIRTUAL"))
                    .isNotEmpty();
        }
    }

    /** Those that have not ended hold the sender's window. */
    @Test
    void messagesOfVirtualReceiversCountUntilTheyReturn() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(LARGE).window(64 * 1024));
            cluster.start(
                    2,
                    node -> node.receive(LARGE, Handling.VIRTUAL, (_, _) -> {
                        begun.incrementAndGet();
                        release.await();
                        ended.incrementAndGet();
                    }));
            one.send(2, new Large(new byte[1000]));
            int sent = 1;
            Deadline full = Deadline.after(Cluster.PATIENCE);
            for (; sent < 1000; sent++) {
                if (!one.trySend(2, new Large(new byte[1000]))) {
                    int all = sent;
                    full.await("the receivers", () -> begun.get() == all);
                    if (!one.trySend(2, new Large(new byte[1000]))) {
                        break;
                    }
                }
            }
            assertThat(sent).isLessThan(70);
            release.countDown();
            one.send(2, new Large(new byte[500_000])); // in pieces
            int all = sent + 1;
            full.await("all messages", () -> ended.get() == all);
        }
    }

    @Test
    void aVirtualReceiverThatThrowsFailsItsRequestAlone() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(DEPTH).type(BOTTOM));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(BOTTOM).receive(DEPTH, Handling.VIRTUAL, (depth, from) -> {
                        if (depth.left() < 0) {
                            throw new IllegalStateException("too deep");
                        }
                        from.respond(new Bottom(depth.left()));
                    }));
            assertThatThrownBy(() -> one.request(2, new Depth(-1), Bottom.class, Cluster.PATIENCE))
                    .hasMessageContaining("too deep");
            assertThat(one.request(2, new Depth(3), Bottom.class, Cluster.PATIENCE))
                    .isEqualTo(new Bottom(3));
            assertThat(two.statistics().receiverFailures()).isEqualTo(1);
            assertThatThrownBy(() -> cluster.builder(3)
                            .receive(DEPTH.reusing(() -> new Depth(1)), Handling.VIRTUAL, (_, _) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("without reusing");
        }
    }

    @Test
    void closingWaitsForVirtualReceiversAndInterruptsThem() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(DEPTH).closeTimeout(Duration.ofMillis(50)));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.closeTimeout(Duration.ofMillis(100)).receive(DEPTH, Handling.VIRTUAL, (_, _) -> {
                        begun.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException closing) {
                            interrupted.countDown();
                            throw closing;
                        }
                    }));
            one.send(2, new Depth(1));
            assertThat(begun.await(Cluster.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            two.close();
            assertThat(interrupted.await(Cluster.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
        }
    }

    @Test
    void aReceiverMayAnswerWhenItsFutureCompletes() {
        CompletableFuture<Bottom> first = new CompletableFuture<>();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(DEPTH).type(BOTTOM));
            cluster.start(
                    2,
                    node -> node.handlers(1).type(BOTTOM).receiveAsync(DEPTH, (depth, _) -> switch (depth.left()) {
                        case 0 -> first;
                        case 1 -> CompletableFuture.completedFuture(new Bottom(1));
                        case 2 -> CompletableFuture.failedFuture(new IllegalStateException("later"));
                        case 3 -> CompletableFuture.completedFuture(null);
                        default -> throw new IllegalStateException("at once");
                    }));
            CompletableFuture<Bottom> late = one.requestAsync(2, new Depth(0), Bottom.class, Cluster.PATIENCE);
            assertThat(one.request(2, new Depth(1), Bottom.class, Cluster.PATIENCE))
                    .isEqualTo(new Bottom(1));
            assertThatThrownBy(() -> one.request(2, new Depth(2), Bottom.class, Cluster.PATIENCE))
                    .hasMessageContaining("later");
            assertThatThrownBy(() -> one.request(2, new Depth(3), Bottom.class, Cluster.PATIENCE))
                    .hasMessageContaining("null");
            assertThatThrownBy(() -> one.request(2, new Depth(4), Bottom.class, Cluster.PATIENCE))
                    .hasMessageContaining("at once");
            assertThat(late).isNotDone();
            first.complete(new Bottom(7));
            assertThat(late.join()).isEqualTo(new Bottom(7));
        }
    }
}
