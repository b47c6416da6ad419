package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.link.LinkProvider;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are processes, killed and stopped at any moment. */
class ProcessesTest {
    private static final Duration PATIENCE = Cluster.PATIENCE;
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    @TempDir
    private Path folder;

    private final AtomicLong unconfirmed = new AtomicLong();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();

    private MessagingNode sender(String link) {
        return MessagingNode.builder(1)
                .address(1, Cluster.anyPort())
                .key(Cluster.KEY)
                .links(link)
                .type(Numbered.TYPE)
                .connectTimeout(PATIENCE)
                .sendTimeout(PATIENCE)
                .listener(new ConnectionListener() {
                    @Override
                    public void onDisconnected(int node, String reason, long messages) {
                        unconfirmed.addAndGet(messages);
                        ends.incrementAndGet();
                    }
                })
                .start();
    }

    /** Of the processes. */
    List<String> javaOptions() {
        return List.of("--enable-native-access=ALL-UNNAMED");
    }

    private ChildProcess receiver(String link, MessagingNode sender) throws InterruptedException {
        ChildProcess child = ChildProcess.start(ChildProcess.java(
                javaOptions(),
                NodeProcess.class,
                List.of(link, folder.resolve("counts").toString())));
        child.awaitOut(text -> PORT.matcher(text).find() && text.endsWith("\n"), PATIENCE);
        Matcher port = PORT.matcher(child.out());
        assertThat(port.find()).isTrue();
        sender.addAddress(2, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1))));
        return child;
    }

    /** Sends until told to end; those that were accepted are counted. */
    private Thread stream(MessagingNode node, AtomicInteger end) {
        return Thread.ofPlatform().start(() -> {
            Numbered message = new Numbered();
            while (end.get() == 0) {
                message.number = sent.get() + 1;
                try {
                    node.send(2, message);
                } catch (MessagingException gone) {
                    continue; // it is down at the moment: again
                }
                sent.incrementAndGet();
            }
        });
    }

    @Fault(
            value = {17, 20},
            on = {Fault.Where.UCX, Fault.Where.OFI})
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"ucx", "ofi"})
    void whatAKilledNodeHasNotReceivedIsReportedByLibraries(String link) throws Exception {
        LinkProvider.named(link)
                .unavailable(InProcessWireup.create(2, (_, _, _) -> {}).getFirst())
                .ifPresent(Assumptions::abort);
        killANode(link);
    }

    @Fault(
            value = {17, 20},
            on = Fault.Where.SHM)
    @Test
    void whatAKilledNodeHasNotReceivedIsReported() throws Exception {
        killANode("shm");
    }

    @Fault(
            value = {17, 20},
            on = Fault.Where.TCP)
    @Test
    @Tag("slow")
    void whatAKilledNodeHasNotReceivedIsReportedOverTcp() throws Exception {
        killANode("tcp");
    }

    final void killANode(String link) throws Exception {
        MemorySegment counts = NodeProcess.map(folder.resolve("counts"));
        AtomicInteger end = new AtomicInteger();
        try (MessagingNode one = sender(link)) {
            Thread stream;
            try (ChildProcess two = receiver(link, one)) {
                stream = stream(one, end);
                Deadline.after(PATIENCE).await("some messages", () -> count(counts) > 20_000);
                two.signal("KILL");
                int ignored = two.awaitExit(PATIENCE);
            }
            Deadline.after(PATIENCE).await("the report", () -> ends.get() == 1);
            long before = count(counts);
            try (ChildProcess two = receiver(link, one)) {
                Deadline.after(PATIENCE)
                        .await("messages to the node that is back", () -> count(counts) > before + 1000);
                end.set(1);
                stream.join();
                Deadline.after(PATIENCE).await("the last message", () -> last(counts) == sent.get());
                two.endInput();
                int ignored = two.awaitExit(PATIENCE);
                assertThat(two.out()).doesNotContain("message");
            }
        }
        assertThat(ends).as("connections that have ended").hasValue(2);
        long missing = sent.get() - count(counts);
        assertThat(counts.get(ValueLayout.JAVA_LONG, NodeProcess.WRONG))
                .as("messages that came twice, damaged or too early")
                .isZero();
        assertThat(missing).isBetween(0L, unconfirmed.get());
    }

    /** Ten million messages to a node that is killed after every two million of them, and starts again. */
    @Tag("slow")
    @Fault(
            value = {17, 20, 29},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void tenMillionMessagesArriveOnceOrAreReportedThoughTheirNodeIsKilledAgainAndAgain(String link) throws Exception {
        long each = 2_000_000;
        int starts = 5;
        MemorySegment counts = NodeProcess.map(folder.resolve("counts"));
        AtomicInteger end = new AtomicInteger();
        try (MessagingNode one = sender(link)) {
            Thread stream = null;
            for (int start = 1; start <= starts; start++) {
                long before = count(counts);
                try (ChildProcess two = receiver(link, one)) {
                    if (stream == null) {
                        stream = stream(one, end);
                    }
                    Deadline.after(PATIENCE).await("two million messages", () -> count(counts) >= before + each);
                    if (start < starts) {
                        two.signal("KILL");
                    } else {
                        end.set(1);
                        stream.join();
                        Deadline.after(PATIENCE).await("the last message", () -> last(counts) == sent.get());
                        two.endInput();
                    }
                    int ignored = two.awaitExit(PATIENCE);
                }
                int ended = start;
                Deadline.after(PATIENCE).await("the end of the connection", () -> ends.get() == ended);
            }
        }
        assertThat(count(counts)).isGreaterThanOrEqualTo(starts * each);
        assertThat(counts.get(ValueLayout.JAVA_LONG, NodeProcess.WRONG))
                .as("messages that came twice, damaged or too early")
                .isZero();
        assertThat(sent.get() - count(counts)).isBetween(0L, unconfirmed.get());
    }

    @Tag("slow")
    @Fault(
            value = 19,
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aNodeThatIsStoppedForLongGoesOn(String link) throws Exception {
        System.setProperty(PeerTimeout.PROPERTY, "1");
        try {
            stopForLong(link);
        } finally {
            System.clearProperty(PeerTimeout.PROPERTY);
        }
    }

    private void stopForLong(String link) throws Exception {
        MemorySegment counts = NodeProcess.map(folder.resolve("counts"));
        AtomicInteger end = new AtomicInteger();
        try (MessagingNode one = sender(link);
                ChildProcess two = receiver(link, one)) {
            Thread stream = stream(one, end);
            Deadline.after(PATIENCE).await("some messages", () -> count(counts) > 1000);
            two.signal("STOP");
            long since = System.nanoTime();
            long blocked = one.statistics().blockedSends();
            Deadline.after(PATIENCE)
                    .await("back-pressure", () -> one.statistics().blockedSends() > blocked);
            Deadline.after(PATIENCE)
                    .await("three times the time-out", () -> System.nanoTime() - since > 3_000_000_000L);
            two.signal("CONT");
            long before = count(counts);
            Deadline.after(PATIENCE).await("more messages", () -> count(counts) > before + 1000);
            end.set(1);
            stream.join();
            Deadline.after(PATIENCE).await("the last message", () -> count(counts) == sent.get());
            two.endInput();
            int ignored = two.awaitExit(PATIENCE);
        }
        assertThat(counts.get(ValueLayout.JAVA_LONG, NodeProcess.WRONG)).isZero();
    }

    private static long last(MemorySegment counts) {
        return (long) ValueLayout.JAVA_LONG.varHandle().getOpaque(counts, NodeProcess.LAST);
    }

    private static long count(MemorySegment counts) {
        return (long) ValueLayout.JAVA_LONG.varHandle().getOpaque(counts, NodeProcess.COUNT);
    }
}
