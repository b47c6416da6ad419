package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.HdrHistogram.Histogram;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of a node: JMX, Flight Recorder, a listener for metrics, histograms. */
@SuppressWarnings("ArrayRecordComponent")
class OperationsTest {
    record Note(byte[] bytes) {}

    record Question(int number) {}

    record Answer(int number) {}

    private static final MessageType<Note> NOTE = MessageType.record(1, 0, Note.class);
    private static final MessageType<Question> QUESTION = MessageType.record(2, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(3, 0, Answer.class);

    private static MessagingNode answering(Cluster cluster, int id) {
        return cluster.start(
                id,
                node -> node.type(ANSWER).jmx().receive(NOTE, (_, _) -> {}).receive(QUESTION, (question, from) -> {
                    if (question.number() < 0) {
                        throw new IllegalStateException("negative");
                    }
                    from.respond(new Answer(question.number()));
                }));
    }

    private static MessagingNode asking(Cluster cluster, int id, MetricsListener metrics) {
        return cluster.start(
                id,
                node -> node.type(NOTE)
                        .type(QUESTION)
                        .type(ANSWER)
                        .metrics(metrics)
                        .jmx());
    }

    private static List<RankReport> pages() {
        try {
            return JobReport.all().stream()
                    .filter(job -> job.isService()
                            && job.processes().contains(ProcessHandle.current().pid()))
                    .map(job -> job.ranks().getFirst())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void otherProcessesSeeWhatANodeHasDone() throws Exception {
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = asking(cluster, 1, new MetricsListener() {});
            answering(cluster, 2);
            for (int number = 0; number < 10; number++) {
                assertThat(one.request(2, new Question(number), Answer.class, Duration.ofSeconds(30))
                                .number())
                        .isEqualTo(number);
            }
            Deadline.after(Cluster.PATIENCE)
                    .await(
                            "the page of node 1",
                            () -> pages().stream()
                                    .anyMatch(page -> page.figures().get("requestsAnswered") == 10));
            assertThat(pages())
                    .extracting(RankReport::rank, RankReport::device)
                    .containsExactlyInAnyOrder(tuple(1, "messaging"), tuple(2, "messaging"));
            RankReport page = pages().stream()
                    .filter(each -> each.rank() == 1)
                    .findFirst()
                    .orElseThrow();
            assertThat(page.figures())
                    .containsEntry("connections", 1L)
                    .containsEntry("requestsPending", 0L)
                    .containsEntry("requestsFailed", 0L)
                    .containsKeys("gathered", "queuedForHandlers", "bytesInWindows");
            assertThat(page.peers()).singleElement().satisfies(peer -> {
                assertThat(peer.peer()).isEqualTo(2);
                assertThat(peer.sent().allMessages()).isEqualTo(10);
            });
        }
        assertThat(pages()).isEmpty();
    }

    @Test
    void whatIsSentIsCountedByType() throws InterruptedException {
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = asking(cluster, 1, new MetricsListener() {});
            MessagingNode two = answering(cluster, 2);
            Runnable work = () -> {
                for (int each = 0; each < 300; each++) {
                    one.send(2, new Note(new byte[each]));
                }
                one.send(2, new Note(new byte[100_000]));
                one.flush();
                one.request(2, new Question(1), Answer.class, Cluster.PATIENCE);
            };
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < 400; each++) { // many that end, so that their counts are kept
                Thread thread = each % 100 == 0
                        ? Thread.ofPlatform().start(work)
                        : Thread.startVirtualThread(() -> {
                            one.request(2, new Question(2), Answer.class, Cluster.PATIENCE);
                        });
                threads.add(thread);
            }
            for (int each = 0; each < 600; each++) {
                Thread.ofPlatform()
                        .start(() -> one.send(2, new Note(new byte[1])))
                        .join();
            }
            for (Thread each : threads) {
                each.join();
            }
            Deadline.after(Cluster.PATIENCE)
                    .await("all messages", () -> type(two, 1).received() == 4 * 301 + 600);
            assertThat(type(one, 1).sent()).isEqualTo(4 * 301 + 600);
            assertThat(type(one, 1).sentBytes()).isEqualTo(type(two, 1).receivedBytes());
            assertThat(type(one, 2).sent())
                    .isEqualTo(400)
                    .isEqualTo(type(two, 2).received());
            assertThat(type(one, 2).sentBytes()).isEqualTo(type(two, 2).receivedBytes());
            assertThat(type(two, 3).sent()).isEqualTo(400);
        }
    }

    private static TypeStatistics type(MessagingNode node, int number) {
        return node.statistics().types().stream()
                .filter(each -> each.type() == number)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNodeIsABeanOfJmxAsLongAsItIsOpen() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.galerna:type=Node,id=41");
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = asking(cluster, 41, new MetricsListener() {});
            answering(cluster, 42);
            one.request(42, new Question(1), Answer.class, Cluster.PATIENCE);
            assertThatThrownBy(() -> one.request(42, new Question(-1), Answer.class, Cluster.PATIENCE))
                    .isInstanceOf(MessagingException.class);
            NodeMxBean bean = JMX.newMXBeanProxy(server, name, NodeMxBean.class);
            assertThat(bean.getId()).isEqualTo(41);
            assertThat(bean.getAddress()).contains("127.0.0.1");
            assertThat(bean.isClosed()).isFalse();
            assertThat(bean.getSent()).isEqualTo(2);
            assertThat(bean.getConnections()).isEqualTo(1);
            assertThat(bean.getPeers()).singleElement().satisfies(peer -> {
                assertThat(peer.node()).isEqualTo(42);
                assertThat(peer.link()).isEqualTo("shm");
                assertThat(peer.answered()).isEqualTo(1);
                assertThat(peer.failed()).isEqualTo(Map.of("REMOTE", 1L));
            });
            assertThat(bean.getTypes()).singleElement().satisfies(type -> {
                assertThat(type.name()).isEqualTo(Question.class.getName());
                assertThat(type.sent()).isEqualTo(2);
            });
            // all that a console shows
            for (var each : server.getMBeanInfo(name).getAttributes()) {
                assertThat(server.getAttribute(name, each.getName()))
                        .as(each.getName())
                        .isNotNull();
            }
            cluster.start(43, node -> node.jmx());
            assertThat(server.isRegistered(new ObjectName("org.galerna:type=Node,id=43")))
                    .isTrue();
        }
        assertThat(server.queryNames(new ObjectName("org.galerna:type=Node,id=4*"), null))
                .isEmpty();
    }

    /** Notes what it hears, and throws. */
    private static final class Heard implements MetricsListener {
        private final Queue<String> news = new ConcurrentLinkedQueue<>();
        private @Nullable Supplier<NodeStatistics> statistics;

        private void note(String text) {
            news.add(text);
            throw new IllegalStateException("nobody is to mind: " + text);
        }

        @Override
        public void onStarted(int node, Supplier<NodeStatistics> given) {
            statistics = given;
            note("started " + node);
        }

        @Override
        public void onClosed(int node) {
            note("closed " + node);
        }

        @Override
        public void onRequest(int peer, long nanos, MessagingException.@Nullable Reason failure) {
            assertThat(nanos).isNotNegative();
            note("request " + peer + " " + failure);
        }

        @Override
        public void onHandled(Class<?> type, long nanos) {
            note("handled " + type.getSimpleName());
        }

        @Override
        public void onConnected(int peer, String link) {
            note("connected " + peer + " " + link);
        }

        @Override
        public void onDisconnected(int peer, String reason, long unconfirmed) {
            note("disconnected " + peer);
        }

        @Override
        public void onRefused(String caller) {
            note("refused " + caller.replaceAll("[0-9.:/]+", ""));
        }
    }

    @Test
    void aListenerHearsOfEverythingAndHarmsNothing() {
        Heard heard = new Heard();
        Heard other = new Heard();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = asking(cluster, 1, heard);
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER)
                            .metrics(other)
                            .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
            one.request(2, new Question(1), Answer.class, Cluster.PATIENCE);
            assertThatThrownBy(() -> one.request(2, new Question(1), Answer.class, Duration.ZERO))
                    .isInstanceOf(MessagingException.class);
            assertThat(other.statistics).isNotNull();
            try (MessagingNode stranger = cluster.builder(3)
                    .key("another key than that of the cluster")
                    .address(2, two.address())
                    .start()) {
                assertThatThrownBy(() -> stranger.check(2, Cluster.PATIENCE))
                        .isInstanceOfSatisfying(
                                MessagingException.class,
                                failed -> assertThat(failed.reason()).isEqualTo(MessagingException.Reason.WRONG_KEY));
            }
            Deadline.after(Cluster.PATIENCE).await("the refusal", () -> other.news.contains("refused "));
            cluster.remove(two);
            Deadline.after(Cluster.PATIENCE).await("the end", () -> heard.news.contains("disconnected 2"));
        }
        assertThat(heard.news)
                .containsExactly(
                        "started 1",
                        "connected 2 tcp",
                        "request 2 null",
                        "request 2 TIMEOUT",
                        "disconnected 2",
                        "closed 1");
        assertThat(other.news)
                .startsWith("started 2", "connected 1 tcp", "handled Question", "refused ")
                .endsWith("closed 2");
    }

    @Test
    void flightRecorderHasWhatIsRare(@TempDir Path folder) throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        Path file = folder.resolve("messaging.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            try (Cluster cluster = new Cluster("tcp")) {
                MessagingNode one = asking(cluster, 1, new MetricsListener() {});
                MessagingNode two = cluster.start(
                        2,
                        node -> node.type(ANSWER).receive(QUESTION, (question, from) -> {
                            boolean ignored = slow.await(150, java.util.concurrent.TimeUnit.MILLISECONDS);
                            from.respond(new Answer(question.number()));
                        }));
                one.request(2, new Question(1), Answer.class, Cluster.PATIENCE);
                assertThatThrownBy(() -> one.request(2, new Question(1), Answer.class, Duration.ZERO))
                        .isInstanceOf(MessagingException.class);
                try (MessagingNode stranger = cluster.builder(3)
                        .key("another key than that of the cluster")
                        .address(2, two.address())
                        .start()) {
                    assertThatThrownBy(() -> stranger.check(2, Cluster.PATIENCE))
                            .isInstanceOf(MessagingException.class);
                }
                Deadline.after(Cluster.PATIENCE)
                        .await("the refusal", () -> two.statistics().refusedCallers() > 0);
                cluster.remove(two);
                Deadline.after(Cluster.PATIENCE)
                        .await("the end", () -> one.statistics().connections() == 0);
            }
            recording.stop();
            recording.dump(file);
        }
        Map<String, List<RecordedEvent>> events = RecordingFile.readAllEvents(file).stream()
                .filter(each -> each.getEventType().getName().startsWith("org.galerna.messaging."))
                .collect(Collectors.groupingBy(
                        each -> each.getEventType().getName().substring(22)));
        assertThat(events).containsOnlyKeys("NodeJoined", "NodeLeft", "SlowRequest", "RequestFailed", "KeyRefused");
        assertThat(events.get("SlowRequest")).singleElement().satisfies(event -> {
            assertThat(event.getDuration("time")).isGreaterThanOrEqualTo(Duration.ofMillis(150));
            assertThat(event.getInt("peer")).isEqualTo(2);
            assertThat(event.getEventType().getCategoryNames()).startsWith("Galerna");
        });
        assertThat(events.get("RequestFailed"))
                .anySatisfy(event -> assertThat(event.getString("reason")).isEqualTo("TIMEOUT"));
        assertThat(events.get("KeyRefused").getFirst().getString("reason")).contains("node 3", "key");
    }

    @Test
    void histogramsAreThoseOfHdrHistogram() {
        RandomGenerator random = new java.util.Random(Seeds.next("hdr"));
        for (int round = 0; round < 20; round++) {
            Histogram expected = new Histogram((1L << 44) - 1, 2);
            long[] counts = new long[LatencyHistogram.BUCKETS];
            int times = round == 0 ? 0 : 1 + random.nextInt(3000);
            for (int each = 0; each < times; each++) {
                long nanos = random.nextLong() >>> (20 + random.nextInt(44));
                long count = 1 + (random.nextLong() >>> (16 + random.nextInt(48)));
                expected.recordValueWithCount(nanos, count);
                counts[LatencyHistogram.bucketOf(nanos)] += count;
            }
            LatencyHistogram histogram = new LatencyHistogram(counts);
            Histogram decoded = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(histogram.encode()), 0);
            assertThat(decoded).isEqualTo(expected);
            assertThat(decoded.getTotalCount()).isEqualTo(histogram.count());
            if (times > 0) {
                assertThat(histogram.percentile(99).toNanos()).isEqualTo(decoded.getValueAtPercentile(99));
            }
        }
    }
}
