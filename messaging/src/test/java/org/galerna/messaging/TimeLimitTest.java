package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time limits of requests, wherever the time goes. */
class TimeLimitTest {
    record Question(int number) {}

    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Bulk(int number, byte[] bytes) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Bulk> BULK = MessageType.record(2, 0, Bulk.class);

    private static final Duration SHORT = Duration.ofMillis(200);

    /** The time of a call on a busy machine, and far less than it takes to find out that a node cannot be reached. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private static Deadline patience() {
        return Deadline.after(Cluster.PATIENCE);
    }

    private static Duration duringFailure(Reason reason, ThrowingCallable call) {
        long begin = System.nanoTime();
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(reason));
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        patience().await("the end of the future", future::isDone);
        return future.handle((_, failure) -> failure).join();
    }

    private static void assertFails(CompletableFuture<?> future, Reason reason) {
        assertThat(failureOf(future))
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(reason));
    }

    /** Where nobody listens. */
    private static InetSocketAddress nowhere() throws IOException {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(closed.getInetAddress(), closed.getLocalPort());
        }
    }

    @Test
    void theLimitHoldsWhereNobodyListens() throws IOException {
        assertLimitHolds(nowhere());
    }

    @Test
    void theLimitHoldsWhereNobodyAnswers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertLimitHolds(new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort()));
        }
    }

    private static void assertLimitHolds(InetSocketAddress address) {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION));
            one.addAddress(2, address);
            long begin = System.nanoTime();
            List<CompletableFuture<Question>> futures = IntStream.range(0, 100)
                    .mapToObj(number -> one.requestAsync(2, new Question(number), Question.class, SHORT))
                    .toList();
            CompletableFuture<Question> patient = one.requestAsync(2, new Question(0), Question.class, FOREVER);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(AT_ONCE);
            assertThat(duringFailure(Reason.TIMEOUT, () -> one.request(2, new Question(1), Question.class, SHORT)))
                    .isBetween(SHORT, AT_ONCE);
            futures.forEach(each -> assertFails(each, Reason.TIMEOUT));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(SHORT, AT_ONCE.multipliedBy(2));
            assertThat(patient).isNotDone();
            assertThat(one.statistics().pendingRequests()).isEqualTo(1);
            one.close();
            assertFails(patient, Reason.CLOSED);
            assertFails(one.requestAsync(2, new Question(1), Question.class, SHORT), Reason.CLOSED);
        }
    }

    @Test
    void aNodeThatIsFoundUnreachableFailsAllThatWait() throws IOException {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION).connectTimeout(SHORT));
            one.addAddress(2, nowhere());
            List<CompletableFuture<Question>> futures = IntStream.range(0, 100)
                    .mapToObj(number -> one.requestAsync(2, new Question(number), Question.class, FOREVER))
                    .toList();
            futures.forEach(each -> assertFails(each, Reason.UNREACHABLE));
            assertThat(duringFailure(
                            Reason.UNREACHABLE,
                            () -> one.request(2, new Question(1), Question.class, Duration.ofSeconds(Long.MAX_VALUE))))
                    .isLessThan(AT_ONCE);
        }
    }

    @Test
    void whatIsWrongWithARequestFailsItsFuture() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(BULK).maximumMessage(100_000));
            assertThat(failureOf(one.requestAsync(7, new Question(1), Question.class, SHORT)))
                    .hasMessageContaining("no address of a node 7");
            assertThat(failureOf(one.requestAsync(-1, new Question(1), Question.class, SHORT)))
                    .hasMessageContaining("not -1");
            assertThat(failureOf(one.requestAsync(1, "text", Question.class, SHORT)))
                    .hasMessageContaining("java.lang.String");
            assertThat(failureOf(one.requestAsync(1, new Bulk(1, new byte[200_000]), Question.class, SHORT)))
                    .hasMessageContaining("more than the 100000");
            assertThat(one.statistics().pendingRequests()).isZero();
        }
    }

    @Test
    void limitsMayBeAsLongAsADurationAndEndAtOnceWithoutTime() {
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(QUESTION)
                            .connectTimeout(FOREVER)
                            .sendTimeout(FOREVER)
                            .closeTimeout(FOREVER));
            cluster.start(
                    2,
                    node -> node.sendTimeout(FOREVER).receive(QUESTION, (asked, from) -> {
                        received.incrementAndGet();
                        from.respond(asked);
                    }));
            Question asked = new Question(5);
            for (Duration limit :
                    List.of(FOREVER, Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(365_000), Cluster.PATIENCE)) {
                assertThat(one.request(2, asked, Question.class, limit)).isEqualTo(asked);
                assertThat(one.requestAsync(2, asked, Question.class, limit).join())
                        .isEqualTo(asked);
            }
            for (Duration limit : List.of(
                    Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
                assertThat(duringFailure(Reason.TIMEOUT, () -> one.request(2, asked, Question.class, limit)))
                        .isLessThan(AT_ONCE);
                assertFails(one.requestAsync(2, asked, Question.class, limit), Reason.TIMEOUT);
            }
            assertThat(one.statistics().pendingRequests()).isZero();
            assertThat(received).hasValue(8);
        }
    }

    /** What cannot be sent at once is sent later as it was, and nothing that its thread sends afterwards overtakes it. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void requestsForFuturesNeverWaitForRoomAndKeepTheirOrder(String link) {
        CountDownLatch release = new CountDownLatch(1);
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK).window(64 * 1024));
            cluster.start(
                    2,
                    node -> node.receive(BULK, (bulk, from) -> {
                        release.await();
                        assertThat(bulk.bytes()).containsOnly((byte) bulk.number());
                        received.add(bulk.number());
                        if (from.isRequest()) {
                            from.respond(bulk);
                        }
                    }));
            List<CompletableFuture<Bulk>> answers = new ArrayList<>();
            byte[] bytes = new byte[10_000];
            for (int number = 0; number < 100; number++) {
                byte[] said = number % 10 == 5 ? new byte[200_000] : bytes; // some go in pieces
                Arrays.fill(said, (byte) number);
                answers.add(one.requestAsync(2, new Bulk(number, said), Bulk.class, FOREVER));
                Arrays.fill(said, (byte) -1);
            }
            assertThat(answers).noneMatch(CompletableFuture::isDone);
            assertThat(one.trySend(2, new Bulk(100, new byte[0]))).isFalse();
            release.countDown();
            one.send(2, new Bulk(100, new byte[] {100}));
            for (int number = 0; number < 100; number++) {
                assertThat(answers.get(number).join().number()).isEqualTo(number);
            }
            patience().await("the last message", () -> received.size() == 101);
            assertThat(received).isEqualTo(IntStream.rangeClosed(0, 100).boxed().toList());
            assertThat(one.trySend(2, new Bulk(101, new byte[] {101}))).isTrue();
        }
    }

    @Test
    void aResponseIsNotKeptUntilTheLimitOfItsRequest() throws IOException {
        NodeConfig config = Cluster.alone(1, 1);
        Registration<Bulk> registration =
                new Registration<>(BULK.wire(), Handling.ORDERED, (bulk, from) -> from.respond(bulk));
        Node inside = new Node(config, List.of(BULK.wire()), List.of(registration), new ConnectionListener() {});
        inside.startThreads();
        try (MessagingNode node = new MessagingNode(config, inside)) {
            List<WeakReference<Bulk>> responses = new ArrayList<>();
            for (int number = 0; number < 20; number++) {
                Bulk answer = node.requestAsync(1, new Bulk(number, new byte[10_000]), Bulk.class, FOREVER)
                        .join();
                responses.add(new WeakReference<>(answer));
            }
            CompletableFuture<Bulk> cancelled = node.requestAsync(1, new Bulk(0, new byte[1]), Bulk.class, FOREVER);
            cancelled.cancel(false);
            assertThat(inside.parts().requests().first()).isNull();
            patience().await("all but the last response are collected", () -> {
                System.gc();
                return responses.stream().filter(each -> each.get() != null).count() <= 1;
            });
        }
    }

    @Test
    void aRequestWhoseTimeIsOverIsNotHandled() {
        CountDownLatch release = new CountDownLatch(1);
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.handlers(1).receive(BULK, (bulk, from) -> {
                        received.add(bulk.number());
                        if (bulk.number() == 0) {
                            release.await();
                        }
                        if (from.isRequest()) {
                            from.respond(bulk);
                        }
                    }));
            one.send(2, new Bulk(0, new byte[0]));
            patience().await("the first message", () -> received.size() == 1);
            for (int number = 1; number <= 6; number++) {
                int each = number;
                byte[] bytes = new byte[number % 2 == 0 ? 10 : 100_000]; // in pieces, too
                if (number <= 4) {
                    duringFailure(
                            Reason.TIMEOUT,
                            () -> one.request(2, new Bulk(each, bytes), Bulk.class, Duration.ofMillis(50)));
                } else {
                    assertFails(
                            one.requestAsync(2, new Bulk(each, bytes), Bulk.class, Duration.ofMillis(50)),
                            Reason.TIMEOUT);
                }
            }
            CompletableFuture<Bulk> patient = one.requestAsync(2, new Bulk(7, new byte[10]), Bulk.class, FOREVER);
            // the time that is left begins to run at the receiver when the request has come, a little later than here
            long later = System.nanoTime() + SHORT.toNanos();
            patience().await("the end of that time at the receiver", () -> System.nanoTime() - later > 0);
            release.countDown();
            assertThat(patient.join().number()).isEqualTo(7);
            assertThat(received).containsExactly(0, 7);
            assertThat(two.statistics().expiredRequests()).isEqualTo(6);
            patience().await("the last receiver", () -> two.statistics().received() == 2);
        }
    }

    /** It may send: nothing of the node is held meanwhile. */
    @Test
    void whatDependsOnAFutureThatFailsMayDoAsItLikes() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.receive(QUESTION, (_, _) -> received.incrementAndGet()));
            MessagingNode two = cluster.start(
                    2, node -> node.closeTimeout(Duration.ZERO).receive(QUESTION, (_, _) -> release.await()));
            CompletableFuture<Void> late = one.requestAsync(2, new Question(0), Question.class, SHORT)
                    .handle((_, _) -> {
                        one.send(1, new Question(1));
                        return null;
                    });
            late.join();
            CompletableFuture<Void> lost = one.requestAsync(2, new Question(0), Question.class, FOREVER)
                    .handle((_, _) -> {
                        one.send(1, new Question(2));
                        return null;
                    });
            patience().await("the connection", () -> two.statistics().connections() == 1);
            Thread closing = Thread.ofPlatform().start(() -> cluster.remove(two));
            try {
                lost.join();
            } catch (CompletionException failed) {
                throw new AssertionError(failed);
            } finally {
                release.countDown();
            }
            patience().await("both messages", () -> received.get() == 2 && !closing.isAlive());
        }
    }
}
