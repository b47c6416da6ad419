package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.galerna.messaging.NodesTest.TEXT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.messaging.NodesTest.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests, and receivers that answer, ask back, throw or are late. */
class RequestsTest {
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void requestsAreAnswered(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            cluster.start(
                    2,
                    node -> node.receive(
                            TEXT, (text, from) -> from.respond(new Text(text.text() + "!", text.number() + 1))));
            for (int each = 0; each < 1000; each++) {
                Text answer = one.request(2, new Text("ask", each), Text.class, Cluster.PATIENCE);
                assertThat(answer).isEqualTo(new Text("ask!", each + 1));
            }
            List<CompletableFuture<Text>> answers = new ArrayList<>();
            for (int each = 0; each < 1000; each++) {
                answers.add(one.requestAsync(2, new Text("ask", each), Text.class, Cluster.PATIENCE));
            }
            for (int each = 0; each < 1000; each++) {
                assertThat(answers.get(each).join().number()).isEqualTo(each + 1);
            }
            assertThat(one.statistics().pendingRequests()).isZero();
            assertThat(one.statistics().responses()).isEqualTo(2000);
        }
    }

    @Test
    void aReceiverThatThrowsAfterItHasTakenItsResponderFailsTheRequest() {
        AtomicReference<Responder> taken = new AtomicReference<>();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            cluster.start(
                    2,
                    node -> node.receive(TEXT, (_, from) -> {
                        taken.set(from.responder());
                        throw new IllegalStateException("too late");
                    }));
            assertThatThrownBy(() -> one.request(2, new Text("x", 1), Text.class, Cluster.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.REMOTE))
                    .hasMessageContaining("too late");
            assertThatThrownBy(() -> taken.get().respond(new Text("y", 1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("answered already");
        }
    }

    @Test
    void aThrowingReceiverIsReportedAndGoesOnServing() {
        AtomicInteger calm = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.receive(TEXT, (text, from) -> {
                        if (text.number() % 2 == 0) {
                            throw new IllegalStateException("even");
                        }
                        calm.incrementAndGet();
                        if (from.isRequest()) {
                            from.respond(text);
                        }
                    }));
            for (int each = 0; each < 10; each++) {
                one.send(2, new Text("x", each));
            }
            assertThatThrownBy(() -> one.request(2, new Text("x", 0), Text.class, Cluster.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.REMOTE))
                    .hasMessageContaining("even");
            assertThat(one.request(2, new Text("x", 1), Text.class, Cluster.PATIENCE))
                    .isEqualTo(new Text("x", 1));
            assertThat(calm).hasValue(6);
            assertThat(two.statistics().receiverFailures()).isEqualTo(6);
        }
    }

    @Test
    void aLateResponseFulfilsNoOtherRequest() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger held = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            cluster.start(
                    2,
                    node -> node.handlers(2).receive(TEXT, Handling.CONCURRENT, (text, from) -> {
                        if (text.number() == 0) {
                            held.incrementAndGet();
                            release.await();
                        }
                        from.respond(text);
                    }));
            Cluster.patience().await("a request that is late and not dropped", () -> {
                assertThatThrownBy(() -> one.request(2, new Text("late", 0), Text.class, Duration.ofMillis(20)))
                        .isInstanceOfSatisfying(
                                MessagingException.class,
                                failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.TIMEOUT));
                return held.get() > 0;
            });
            CompletableFuture<Text> cancelled = one.requestAsync(2, new Text("late", 0), Text.class, Cluster.PATIENCE);
            cancelled.cancel(false);
            release.countDown();
            for (int each = 1; each <= 100; each++) {
                assertThat(one.request(2, new Text("next", each), Text.class, Cluster.PATIENCE)
                                .number())
                        .isEqualTo(each);
            }
            Cluster.patience()
                    .await(
                            "all late responses",
                            () -> held.get() >= 2 && one.statistics().lateResponses() == held.get());
            assertThat(one.statistics().pendingRequests()).isZero();
        }
    }

    /** All handlers wait for answers: threads that wait poll for themselves, and a guard for futures. */
    @Test
    void receiversMayAskBack() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode[] nodes = new MessagingNode[2];
            Receiver<Text> receiver = (text, from) -> {
                if (text.number() == 0) {
                    from.respond(text);
                    return;
                }
                Text less = new Text(text.text(), text.number() - 1);
                MessagingNode here = nodes[2 - from.sender()];
                Text answer = text.number() % 2 == 0
                        ? here.request(from.sender(), less, Text.class, Cluster.PATIENCE)
                        : here.requestAsync(from.sender(), less, Text.class, Cluster.PATIENCE)
                                .join();
                from.respond(answer);
            };
            for (int each = 0; each < 2; each++) {
                nodes[each] = cluster.start(
                        each + 1,
                        node -> node.receive(TEXT, Handling.CONCURRENT, receiver)
                                .handlers(3));
            }
            Text answer = nodes[0].request(2, new Text("deep", 4), Text.class, Cluster.PATIENCE);
            assertThat(answer.number()).isZero();
        }
    }

    @Test
    void requestsFailAtOnceWhenTheirNodeIsGone() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch forever = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TEXT));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.receive(TEXT, (text, from) -> {
                                asked.countDown();
                                forever.await();
                            })
                            .closeTimeout(Duration.ZERO));
            CompletableFuture<Text> answer = one.requestAsync(2, new Text("x", 1), Text.class, Duration.ofDays(1));
            Cluster.patience().await("the question", () -> asked.getCount() == 0);
            Thread closing = Thread.ofPlatform().start(() -> cluster.remove(two));
            Cluster.patience().await("the failure", answer::isDone);
            assertThatThrownBy(answer::join).hasMessageContaining("node 2 is gone");
            forever.countDown();
            Cluster.patience().await("the end", () -> !closing.isAlive());
        }
    }
}
