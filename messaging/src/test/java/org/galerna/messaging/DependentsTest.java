package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What depends on futures, and listeners, may wait: for each other, and for other nodes. */
class DependentsTest {
    private static final int FUTURES = 20;
    private static final int ROUNDS = 10;

    record Question(int number) {}

    record Answer(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);

    private final Queue<Responder> asked = new ConcurrentLinkedQueue<>();

    private static Deadline patience() {
        return Deadline.after(Cluster.PATIENCE);
    }

    private NodeBuilder keepsQuestions(NodeBuilder node) {
        return node.type(ANSWER).receive(QUESTION, (_, from) -> asked.add(from.responder()));
    }

    private static NodeBuilder answers(NodeBuilder node) {
        return node.type(ANSWER).receive(QUESTION, (question, from) -> from.respond(new Answer(question.number())));
    }

    /** What depends on each of them waits until all have come. */
    private List<CompletableFuture<?>> ask(MessagingNode node, CountDownLatch ended) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int number = 0; number < FUTURES; number++) {
            all.add(node.requestAsync(2, new Question(number), Answer.class, Cluster.PATIENCE)
                    .handle((answer, failed) -> {
                        ended.countDown();
                        return awaitAll(ended);
                    }));
        }
        return all;
    }

    private static boolean awaitAll(CountDownLatch ended) {
        try {
            return ended.await(Cluster.PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void assertAllEnded(List<CompletableFuture<?>> all) {
        for (CompletableFuture<?> each : all) {
            assertThat(each.orTimeout(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void whatDependsOnResponsesMayWaitForOtherResponses(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(ANSWER).handlers(1));
            cluster.start(2, this::keepsQuestions);
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletableFuture<?>> all = ask(one, new CountDownLatch(FUTURES));
                patience().await("all questions", () -> asked.size() == FUTURES);
                for (Responder each = asked.poll(); each != null; each = asked.poll()) {
                    each.respond(new Answer(1));
                }
                assertAllEnded(all);
            }
        }
    }

    @Test
    void whatDependsOnFailuresMayWaitForOtherFailures() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(ANSWER).handlers(1));
            MessagingNode two = cluster.start(2, this::keepsQuestions);
            List<CompletableFuture<?>> all = ask(one, new CountDownLatch(FUTURES));
            patience().await("all questions", () -> asked.size() == FUTURES);
            cluster.remove(two);
            assertAllEnded(all);
        }
    }

    /** It waits for an answer while the thread that has found the end goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void aListenerMayAskAnotherNodeWhenAConnectionHasEnded(String link) {
        CompletableFuture<Object> heard = new CompletableFuture<>();
        MessagingNode[] self = new MessagingNode[1];
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void onDisconnected(int node, String reason, long unconfirmed) {
                if (node == 2) {
                    try {
                        heard.complete(self[0].request(3, new Question(7), Answer.class, Cluster.PATIENCE));
                    } catch (RuntimeException failed) {
                        heard.complete(failed);
                    }
                }
            }
        };
        try (Cluster cluster = new Cluster(link)) {
            self[0] = cluster.start(
                    1, node -> node.type(QUESTION).type(ANSWER).handlers(1).listener(listener));
            MessagingNode two = cluster.start(2, this::keepsQuestions);
            cluster.start(3, DependentsTest::answers);
            CompletableFuture<?> ignored = self[0].requestAsync(2, new Question(1), Answer.class, Cluster.PATIENCE);
            patience().await("the question", () -> asked.size() == 1);
            cluster.remove(two);
            assertThat(heard.orTimeout(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(new Answer(7));
        }
    }

    /** Which waits for an answer over the new connection. */
    @Test
    void aListenerHearsOfANewConnectionAfterItHasHeardOfTheEndOfTheOldOne() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        CountDownLatch restarted = new CountDownLatch(1);
        MessagingNode[] self = new MessagingNode[1];
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void onConnected(int node, String link) {
                heard.add("connected");
            }

            @Override
            public void onDisconnected(int node, String reason, long unconfirmed) {
                if (awaitAll(restarted)) {
                    heard.add(self[0].request(2, new Question(3), Answer.class, Cluster.PATIENCE)
                            .toString());
                }
            }
        };
        try (Cluster cluster = new Cluster("shm")) {
            self[0] = cluster.start(
                    1, node -> node.type(QUESTION).type(ANSWER).handlers(1).listener(listener));
            MessagingNode two = cluster.start(2, this::keepsQuestions);
            CompletableFuture<?> ignored = self[0].requestAsync(2, new Question(1), Answer.class, Cluster.PATIENCE);
            patience().await("the question", () -> asked.size() == 1);
            cluster.remove(two);
            cluster.start(2, DependentsTest::answers);
            restarted.countDown();
            patience().await("both connections", () -> heard.size() == 3);
        }
        assertThat(heard).containsExactly("connected", new Answer(3).toString(), "connected");
    }

    /** And has told it of each connection. */
    @Test
    void aNodeIsClosedInTimeThoughItsListenerDoesNotReturn() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void onDisconnected(int node, String reason, long unconfirmed) {
                called.countDown();
                boolean released = awaitAll(release);
                assertThat(released).isTrue();
            }
        };
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.builder(1)
                    .type(QUESTION)
                    .closeTimeout(Duration.ofMillis(100))
                    .listener(listener)
                    .start();
            MessagingNode two = cluster.start(2, this::keepsQuestions);
            one.addAddress(2, two.address());
            CompletableFuture<?> ignored = one.requestAsync(2, new Question(1), Answer.class, Cluster.PATIENCE);
            patience().await("the question", () -> asked.size() == 1);
            Thread closes = Thread.ofPlatform().daemon().start(one::close);
            assertThat(closes.join(Duration.ofSeconds(20))).as("closed").isTrue();
            assertThat(called.getCount()).isZero();
        } finally {
            release.countDown();
        }
    }
}
