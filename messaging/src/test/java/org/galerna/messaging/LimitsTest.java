package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that want too much. */
@SuppressWarnings("ArrayRecordComponent")
class LimitsTest {
    record Question(int number) {}

    record Answer(int number) {}

    /** A question that is to be answered later. */
    private record Kept(int number, CompletableFuture<Answer> later) {}

    record Bulk(byte[] bytes) {}

    record Node(List<Node> inside) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);
    private static final MessageType<Bulk> BULK = MessageType.record(3, 0, Bulk.class);
    private static final MessageType<Node> NODE = MessageType.record(4, 0, Node.class);

    private static Reason reason(CompletableFuture<?> future) throws InterruptedException {
        try {
            Object ignored = future.get();
            throw new AssertionError("it was answered");
        } catch (ExecutionException failed) {
            return ((MessagingException) failed.getCause()).reason();
        }
    }

    // ---- answers that are given later

    private static final int LATE = 100;
    private static final int BEYOND = LATE; // numbers of questions
    private static final int OF_OTHER = LATE + 1;
    private static final int AGAIN = LATE + 2;

    @ParameterizedTest
    @EnumSource(Handling.class)
    void answersThatAreGivenLaterAreLimited(Handling handling) throws Exception {
        Queue<Kept> kept = new ConcurrentLinkedQueue<>();
        List<String> limits = new ArrayList<>();
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode eager = cluster.start(1, node -> node.type(QUESTION).type(ANSWER));
            MessagingNode other = cluster.start(3, node -> node.type(QUESTION).type(ANSWER));
            cluster.start(
                    2,
                    node -> node.type(ANSWER)
                            .lateAnswers(LATE)
                            .metrics(new MetricsListener() {
                                @Override
                                public synchronized void onLimit(int peer, String limit) {
                                    limits.add(peer + ": " + limit);
                                }
                            })
                            .receiveAsync(QUESTION, handling, (question, _) -> {
                                CompletableFuture<Answer> later = new CompletableFuture<>();
                                kept.add(new Kept(question.number(), later));
                                return later;
                            }));
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            for (int each = 0; each < LATE; each++) {
                asked.add(eager.requestAsync(2, new Question(each), Answer.class, Cluster.PATIENCE));
            }
            Deadline.after(Cluster.PATIENCE).await("the requests", () -> kept.size() == LATE);
            assertThat(reasonSoon(eager)).isEqualTo(Reason.OVERLOADED);
            assertThat(limits)
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each).startsWith("1: there are " + LATE + " requests"));
            // the limit is that of one node
            CompletableFuture<Answer> ofOther =
                    other.requestAsync(2, new Question(OF_OTHER), Answer.class, Cluster.PATIENCE);
            Deadline.after(Cluster.PATIENCE).await("the other one", () -> isKept(kept, OF_OTHER));
            kept.forEach(each -> each.later().complete(new Answer(1)));
            assertThat(ofOther.get().number()).isEqualTo(1);
            for (CompletableFuture<Answer> each : asked) {
                assertThat(each.get().number()).isEqualTo(1);
            }
            CompletableFuture<Answer> again =
                    eager.requestAsync(2, new Question(AGAIN), Answer.class, Cluster.PATIENCE);
            Deadline.after(Cluster.PATIENCE).await("one more", () -> isKept(kept, AGAIN));
            kept.forEach(each -> each.later().complete(new Answer(2)));
            assertThat(again.get().number()).isEqualTo(2);
        }
    }

    private static boolean isKept(Queue<Kept> kept, int number) {
        return kept.stream().anyMatch(each -> each.number() == number);
    }

    /** Until receivers of those before have returned, which may take a while, one beyond the limit is kept as well. */
    private static Reason reasonSoon(MessagingNode eager) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            Reason reason = reason(eager.requestAsync(2, new Question(BEYOND), Answer.class, Duration.ofMillis(500)));
            if (reason == Reason.OVERLOADED || attempt == 20) {
                return reason;
            }
        }
    }

    @Test
    void requestsWhoseTimeIsOverMakeRoomForOthers() throws Exception {
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION).type(ANSWER));
            cluster.start(
                    2,
                    node -> node.type(ANSWER).lateAnswers(10).receive(QUESTION, (question, from) -> {
                        if (question.number() < 0) {
                            from.respond(new Answer(question.number()));
                        } else {
                            Responder ignored = from.responder(); // and forgets it
                        }
                    }));
            assertThat(one.check(2, Cluster.PATIENCE)).isPositive(); // there is a connection
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            for (int each = 0; each < 30; each++) {
                asked.add(one.requestAsync(2, new Question(each), Answer.class, Duration.ofSeconds(1)));
            }
            List<Reason> reasons = new ArrayList<>();
            for (CompletableFuture<Answer> each : asked) {
                reasons.add(reason(each));
            }
            assertThat(reasons).startsWith(Reason.TIMEOUT).contains(Reason.OVERLOADED);
            Deadline.after(Cluster.PATIENCE).await("room", () -> {
                try {
                    return one.request(2, new Question(-1), Answer.class, Cluster.PATIENCE)
                                    .number()
                            == -1;
                } catch (MessagingException full) {
                    assertThat(full.reason()).isEqualTo(Reason.OVERLOADED);
                    return false;
                }
            });
        }
    }

    // ---- requests under way

    @Test
    void requestsWithFuturesAreLimited() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(ANSWER).requests(50));
            cluster.start(
                    2,
                    node -> node.type(ANSWER).receive(QUESTION, (question, from) -> {
                        release.await();
                        from.respond(new Answer(question.number()));
                    }));
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            for (int each = 0; each < 50; each++) {
                asked.add(one.requestAsync(2, new Question(each), Answer.class, Cluster.PATIENCE));
            }
            CompletableFuture<Answer> beyond = one.requestAsync(2, new Question(50), Answer.class, Cluster.PATIENCE);
            assertThat(beyond).isCompletedExceptionally();
            assertThat(reason(beyond)).isEqualTo(Reason.OVERLOADED);
            boolean ignored = asked.getFirst().cancel(false);
            asked.add(one.requestAsync(2, new Question(51), Answer.class, Cluster.PATIENCE));
            release.countDown();
            for (CompletableFuture<Answer> each : asked.subList(1, 51)) {
                assertThat(each.get()).isNotNull();
            }
            PeerStatistics peer = one.statistics().peer(2);
            assertThat(peer).isNotNull();
            assertThat(peer.failed()).containsEntry(Reason.OVERLOADED, 1L);
        }
    }

    @Test
    void whatWaitsToBeSentIsLimitedInBytes() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(
                    1, node -> node.type(BULK).type(ANSWER).window(64 * 1024).backlog(1 << 20));
            cluster.start(
                    2,
                    node -> node.type(ANSWER).receive(BULK, (bulk, from) -> {
                        release.await();
                        from.respond(new Answer(bulk.bytes().length));
                    }));
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            for (int each = 0; each < 200; each++) {
                asked.add(one.requestAsync(2, new Bulk(new byte[20_000]), Answer.class, Cluster.PATIENCE));
            }
            List<CompletableFuture<Answer>> refused = asked.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .toList();
            assertThat(200 - refused.size()).isBetween(50, 60); // 1 MiB, and what is in the window
            for (CompletableFuture<Answer> each : refused) {
                assertThat(reason(each)).isEqualTo(Reason.OVERLOADED);
            }
            release.countDown();
            int answered = 0;
            for (CompletableFuture<Answer> each : asked) {
                if (!each.isCompletedExceptionally()) {
                    assertThat(each.get().number()).isEqualTo(20_000);
                    answered++;
                }
            }
            assertThat(answered).isEqualTo(200 - refused.size());
        }
    }

    // ---- what two nodes agree upon

    @Test
    void ofTwoWindowsTheSmallerOneCounts() {
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK).window(16 << 20));
            MessagingNode two =
                    cluster.start(2, node -> node.window(128 * 1024).receive(BULK, (_, _) -> release.await()));
            one.send(2, new Bulk(new byte[10_000]));
            while (one.trySend(2, new Bulk(new byte[10_000]))) {
                PeerStatistics peer = one.statistics().peer(2);
                assertThat(peer).isNotNull();
                assertThat(peer.underWay()).isLessThanOrEqualTo(128 * 1024);
            }
            release.countDown();
            for (int each = 0; each < 100; each++) {
                one.send(2, new Bulk(new byte[10_000]));
            }
            Deadline.after(Cluster.PATIENCE)
                    .await("the messages", () -> two.statistics().received() > 100);
        }
    }

    @Test
    void aMessageThatTheOtherNodeDoesNotTakeIsRefusedWhereItIsSent() {
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK).type(ANSWER));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER)
                            .maximumMessage(100_000)
                            .receive(BULK, (bulk, from) -> from.respond(new Answer(bulk.bytes().length))));
            assertThatThrownBy(() -> one.send(2, new Bulk(new byte[100_001])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("100000 that the other node takes");
            assertThat(one.request(2, new Bulk(new byte[90_000]), Answer.class, Cluster.PATIENCE)
                            .number())
                    .isEqualTo(90_000);
            assertThat(two.statistics().connections()).isEqualTo(1);
        }
    }

    // ---- objects without end

    @Test
    void anObjectThatHoldsTheSameOnesAgainAndAgainIsRefused() {
        Node tree = new Node(List.of());
        for (int depth = 0; depth < 200; depth++) {
            tree = new Node(List.of(tree, tree));
        }
        Node endless = tree;
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(NODE).type(ANSWER).maximumMessage(1 << 20));
            cluster.start(2, node -> node.receive(NODE, (_, _) -> {}));
            assertThatThrownBy(() -> one.send(2, endless))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes more than the " + (1 << 20) + " bytes")
                    .hasMessageContaining("same ones again and again");
            assertThat(one.requestAsync(2, endless, Answer.class, Cluster.PATIENCE))
                    .isCompletedExceptionally();
        }
    }
}
