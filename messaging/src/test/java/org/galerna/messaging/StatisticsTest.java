package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("ArrayRecordComponent")
class StatisticsTest {
    record Note(byte[] bytes) {}

    record Question(int number) {}

    record Answer(int number) {}

    private static final MessageType<Note> NOTE = MessageType.record(1, 0, Note.class);
    private static final MessageType<Question> QUESTION = MessageType.record(2, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(3, 0, Answer.class);

    private static PeerStatistics peer(MessagingNode node, int other) {
        return Objects.requireNonNull(node.statistics().peer(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void eachNodeAndEachTypeIsCounted(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(NOTE).type(QUESTION).type(ANSWER));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER).receive(NOTE, (_, _) -> {}).receive(QUESTION, (question, from) -> {
                        if (question.number() < 0) {
                            throw new IllegalStateException("negative");
                        }
                        from.respond(new Answer(question.number()));
                    }));
            for (int each = 0; each < 100; each++) {
                one.send(2, new Note(new byte[100]));
            }
            one.flush();
            for (int each = 0; each < 50; each++) {
                one.request(2, new Question(each), Answer.class, Cluster.PATIENCE);
            }
            assertThatThrownBy(() -> one.request(2, new Question(-1), Answer.class, Cluster.PATIENCE))
                    .isInstanceOf(MessagingException.class);
            assertThatThrownBy(() -> one.request(2, new Question(1), Answer.class, Duration.ZERO))
                    .isInstanceOf(MessagingException.class);
            Deadline.after(Cluster.PATIENCE)
                    .await(
                            "the confirmations",
                            () -> peer(one, 2).underWay() == 0 && peer(two, 1).handled() == 151);
            PeerStatistics peer = peer(one, 2);
            assertThat(peer.link()).isEqualTo(link);
            assertThat(peer.sent()).isEqualTo(151);
            assertThat(peer.sentBytes()).isEqualTo(peer(two, 1).handledBytes()).isGreaterThan(100 * 100);
            assertThat(peer.answered()).isEqualTo(50);
            assertThat(peer.failed()).isEqualTo(Map.of(Reason.REMOTE, 1L, Reason.TIMEOUT, 1L));
            assertThat(peer.latency().count()).isEqualTo(50);
            assertThat(peer.latency().percentile(50)).isPositive().isLessThan(Cluster.PATIENCE);
            assertThat(two.statistics().types())
                    .satisfiesExactly(
                            notes -> {
                                assertThat(notes.name()).isEqualTo(Note.class.getName());
                                assertThat(notes.received()).isEqualTo(100);
                                assertThat(notes.receivedBytes()).isGreaterThan(100 * 100);
                                assertThat(notes.handling().count()).isPositive();
                            },
                            questions -> {
                                assertThat(questions.received()).isEqualTo(51);
                                assertThat(questions.failures()).isEqualTo(1);
                            },
                            answers -> {
                                assertThat(answers.sent()).isEqualTo(50);
                                assertThat(answers.received()).isZero();
                            });
            cluster.remove(two);
            Deadline.after(Cluster.PATIENCE)
                    .await(
                            "the end of the connection",
                            () -> peer(one, 2).link().isEmpty());
            assertThat(peer(one, 2).sent()).isEqualTo(151);
        }
    }

    @Test
    void waitingForRoomIsSeen() {
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(NOTE).window(64 * 1024));
            cluster.start(2, node -> node.receive(NOTE, (_, _) -> release.await()));
            one.send(2, new Note(new byte[5_000]));
            while (one.trySend(2, new Note(new byte[5_000]))) {
                assertThat(peer(one, 2).underWay()).isLessThanOrEqualTo(64 * 1024);
            }
            Thread blocked = Thread.ofPlatform().start(() -> one.send(2, new Note(new byte[5_000])));
            Deadline.after(Cluster.PATIENCE)
                    .await("the waiting", () -> peer(one, 2).waited().toMillis() > 5);
            assertThat(peer(one, 2).blockedSends()).isPositive();
            release.countDown();
            Deadline.after(Cluster.PATIENCE).await("the send", () -> !blocked.isAlive());
        }
    }

    @Test
    void aNodeIsCheckedByAnAnswerOfAHandler() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node);
            MessagingNode two = cluster.start(2, node -> node);
            assertThat(one.check(2, Cluster.PATIENCE)).isPositive();
            assertThat(one.check(2)).isPositive();
            assertThatThrownBy(() -> one.check("two", Cluster.PATIENCE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("node 1 knows no node by the name two, only []");
            cluster.remove(two);
            assertThatThrownBy(() -> one.check(2, Duration.ofMillis(300)))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isIn(Reason.UNREACHABLE, Reason.TIMEOUT));
        }
    }

    @Test
    void closingMayHaveATimeOfItsOwn() {
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(NOTE).closeTimeout(Cluster.PATIENCE));
            cluster.start(2, node -> node.closeTimeout(Duration.ofMillis(10)).receive(NOTE, (_, _) -> release.await()));
            one.send(2, new Note(new byte[1]));
            long begin = System.nanoTime();
            one.close(Duration.ofMillis(50));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Cluster.PATIENCE.dividedBy(2));
        } finally {
            release.countDown();
        }
    }

    @Test
    void bucketsAreAsFineAsTheyClaim() {
        Random random = new Random(Seeds.next("histogram"));
        int before = -1;
        for (long nanos = 0; nanos < 10_000; nanos++) {
            int bucket = LatencyHistogram.bucketOf(nanos);
            assertThat(bucket).isBetween(Math.max(0, before), before + 1);
            before = bucket;
        }
        for (int round = 0; round < 10_000; round++) {
            long nanos = random.nextLong() >>> (20 + random.nextInt(44));
            long greatest = LatencyHistogram.greatestOf(LatencyHistogram.bucketOf(nanos));
            assertThat(greatest).isBetween(nanos, nanos + nanos / 100 + 1);
        }
        assertThat(LatencyHistogram.bucketOf(Long.MAX_VALUE)).isEqualTo(LatencyHistogram.BUCKETS - 1);
        assertThat(LatencyHistogram.bucketOf(-1)).isZero();
        long[] counts = new long[LatencyHistogram.BUCKETS];
        for (int nanos = 1; nanos <= 1000; nanos++) {
            counts[LatencyHistogram.bucketOf(nanos * 1000L)]++;
        }
        LatencyHistogram histogram = new LatencyHistogram(counts);
        assertThat(histogram.count()).isEqualTo(1000);
        assertThat(histogram.percentile(50).toNanos()).isBetween(500_000L, 505_100L);
        assertThat(histogram.percentile(99.9).toNanos()).isBetween(999_000L, 1_010_000L);
        assertThat(new LatencyHistogram(new long[0]).percentile(99)).isZero();
    }
}
