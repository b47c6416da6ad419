package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a node: in time, whatever its receivers do. */
class ClosingTest {
    record Item(int number) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** Far beyond the limit and its extra, for machines that are busy, and far less than for ever. */
    private static final Duration BUSY_MACHINE = Duration.ofSeconds(10);

    private static Deadline patience() {
        return Deadline.after(Cluster.PATIENCE);
    }

    private static Duration duration(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Reason reasonOf(CompletableFuture<?> future) {
        patience().await("the end of the future", future::isDone);
        return future.handle((_, failure) -> ((MessagingException) failure).reason())
                .join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void aReceiverThatDoesNotReturnIsInterruptedWhenTheTimeIsOver(String link) {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch never = new CountDownLatch(1);
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(ITEM));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.closeTimeout(LIMIT).receive(ITEM, Handling.CONCURRENT, (_, _) -> {
                        try {
                            never.await();
                        } catch (InterruptedException expected) {
                            interrupted.set(true);
                            throw expected;
                        }
                    }));
            CompletableFuture<Item> answer = one.requestAsync(2, new Item(1), Item.class, FOREVER);
            patience().await("the receiver", () -> two.health().busyHandlers() == 1);
            assertThat(two.health().isComplete()).isTrue();
            assertThat(duration(two::close)).isBetween(LIMIT, BUSY_MACHINE);
            assertThat(interrupted).isTrue();
            assertThat(reasonOf(answer)).isEqualTo(Reason.UNREACHABLE);
            assertThat(two.health().closed()).isTrue();
        }
    }

    @Test
    void whatIgnoresInterruptsIsLeftAndNamedAndEveryCallerReturnsWhenAllIsDone() throws InterruptedException {
        AtomicBoolean release = new AtomicBoolean();
        try (LoggedLines logged = new LoggedLines();
                Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(ITEM));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.closeTimeout(LIMIT).handlers(2).receive(ITEM, Handling.CONCURRENT, (_, _) -> {
                        while (!release.get()) {
                            LockSupport.parkNanos(1_000_000);
                        }
                    }));
            for (int number = 0; number < 40; number++) {
                one.send(2, new Item(number));
            }
            one.flush();
            patience().await("the receivers", () -> two.health().busyHandlers() == 2);
            AtomicInteger connections = new AtomicInteger();
            List<Thread> closers = new ArrayList<>();
            for (int each = 0; each < 4; each++) {
                closers.add(Thread.ofPlatform().start(() -> {
                    assertThat(duration(two::close)).isLessThan(BUSY_MACHINE);
                    connections.addAndGet(two.statistics().connections());
                }));
            }
            for (Thread each : closers) {
                each.join();
            }
            assertThat(connections).as("connections after one of the calls").hasValue(0);
            assertThat(logged.with(
                            "node 2 is closed, and leaves handlers whose receivers do not return",
                            "galerna-messaging-2-handler-0",
                            "galerna-messaging-2-handler-1",
                            "that no receiver has got"))
                    .isNotEmpty();
            assertThat(duration(two::close)).isLessThan(BUSY_MACHINE);
        } finally {
            release.set(true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void nothingIsSentFromItsBeginningOnButAnswers(String link) throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch handled = new CountDownLatch(1);
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(ITEM).closeTimeout(FOREVER).receive(ITEM, Handling.CONCURRENT, (item, from) -> {
                        release.await();
                        if (from.isRequest()) {
                            from.respond(item);
                        }
                    }));
            MessagingNode two =
                    cluster.start(2, node -> node.receive(ITEM, Handling.CONCURRENT, (_, _) -> handled.await()));
            AtomicReference<MessagingException> refused = new AtomicReference<>();
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        one.send(2, new Item(1));
                    }
                } catch (MessagingException failed) {
                    refused.set(failed);
                }
            });
            CompletableFuture<Item> answer = two.requestAsync(1, new Item(5), Item.class, FOREVER);
            patience().await("the request", () -> one.health().busyHandlers() == 1);
            Thread closer = Thread.ofPlatform().start(one::close);
            sender.join(); // although what it has sent is not processed, and the node is not closed yet
            assertThat(refused.get().reason()).isEqualTo(Reason.CLOSED);
            assertThatThrownBy(() -> one.send(2, new Item(1)))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.CLOSED));
            assertThat(one.trySend(2, new Item(1))).isFalse();
            assertThat(reasonOf(one.requestAsync(2, new Item(1), Item.class, FOREVER)))
                    .isEqualTo(Reason.CLOSED);
            assertThat(closer.isAlive()).isTrue();
            release.countDown();
            assertThat(answer.join()).isEqualTo(new Item(5));
            handled.countDown();
            closer.join();
        }
    }

    @Test
    void requestsThatItCutsSayThatTheNodeIsClosed() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(ITEM).closeTimeout(Duration.ZERO));
            cluster.start(
                    2,
                    node -> node.closeTimeout(Duration.ZERO)
                            .receive(ITEM, Handling.CONCURRENT, (_, _) -> never.await()));
            CompletableFuture<Item> asked = one.requestAsync(2, new Item(1), Item.class, FOREVER);
            AtomicReference<MessagingException> cut = new AtomicReference<>();
            Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    one.request(2, new Item(2), Item.class, FOREVER);
                } catch (MessagingException failed) {
                    cut.set(failed);
                }
            });
            patience()
                    .await(
                            "both requests",
                            () -> one.statistics().pendingRequests() == 2
                                    && one.statistics().sent() == 2);
            one.close();
            waiter.join();
            assertThat(reasonOf(asked)).isEqualTo(Reason.CLOSED);
            assertThat(cut.get().reason()).isEqualTo(Reason.CLOSED);
        }
    }

    /** By a receiver, by a listener, and by what depends on a future. */
    @Test
    void aNodeMayBeClosedByItsOwnThreads() {
        try (Cluster cluster = new Cluster("tcp")) {
            for (int way = 0; way < 3; way++) {
                AtomicReference<MessagingNode> node = new AtomicReference<>();
                int closes = way;
                MessagingNode other = cluster.start(20 + way, builder -> builder.type(ITEM));
                node.set(cluster.start(
                        10 + way,
                        builder -> builder.closeTimeout(LIMIT)
                                .receive(ITEM, (item, from) -> {
                                    if (closes == 0) {
                                        node.get().close();
                                    } else if (from.isRequest()) {
                                        from.respond(item);
                                    }
                                })
                                .listener(new ConnectionListener() {
                                    @Override
                                    public void onDisconnected(int peer, String reason, long unconfirmed) {
                                        if (closes == 1) {
                                            node.get().close();
                                        }
                                    }
                                })));
                MessagingNode one = node.get();
                other.send(one.id(), new Item(1));
                if (closes == 1) {
                    cluster.remove(other);
                } else if (closes == 2) {
                    one.requestAsync(one.id(), new Item(1), Item.class, FOREVER)
                            .thenRun(one::close)
                            .join();
                }
                patience()
                        .await(
                                "the end of node " + one.id(),
                                () -> one.health().closed() && one.statistics().connections() == 0);
                one.close();
            }
        }
    }

    /** Its thread is interrupted, but why is known. */
    @Test
    void aRequestOfAReceiverSaysThatTheNodeIsClosed() {
        AtomicReference<Reason> reason = new AtomicReference<>();
        MessagingNode[] self = new MessagingNode[1];
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.receive(ITEM, (_, _) -> {}));
            self[0] = cluster.start(
                    2,
                    node -> node.closeTimeout(LIMIT).receive(ITEM, (item, from) -> {
                        try {
                            Item ignored = self[0].request(from.sender(), item, Item.class, FOREVER);
                        } catch (MessagingException cut) {
                            reason.set(cut.reason());
                        }
                    }));
            one.send(2, new Item(1));
            patience().await("the receiver", () -> self[0].statistics().pendingRequests() == 1);
            self[0].close();
        }
        assertThat(reason).hasValue(Reason.CLOSED);
    }

    @Test
    void anInterruptOfTheCallerMeansThatTheTimeIsOver() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean still = new AtomicBoolean();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(ITEM));
            MessagingNode two =
                    cluster.start(2, node -> node.closeTimeout(FOREVER).receive(ITEM, (_, _) -> never.await()));
            one.send(2, new Item(1));
            patience().await("the receiver", () -> two.health().busyHandlers() == 1);
            Thread closer = Thread.ofPlatform().start(() -> {
                two.close();
                still.set(Thread.currentThread().isInterrupted());
            });
            patience().await("the beginning", () -> two.health().closed());
            closer.interrupt();
            closer.join();
            assertThat(still).isTrue();
            assertThat(two.statistics().connections()).isZero();
        }
    }
}
