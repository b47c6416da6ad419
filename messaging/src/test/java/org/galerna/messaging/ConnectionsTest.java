package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.galerna.messaging.Pings.answering;
import static org.galerna.messaging.Pings.ask;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.galerna.messaging.Pings.Log;
import org.galerna.messaging.Pings.Ping;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections come and go. */
class ConnectionsTest {
    private static final Duration PATIENCE = Cluster.PATIENCE;
    private static final Executor THREADS = task -> Thread.ofPlatform().start(task);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void twoNodesThatCallEachOtherAtOnceHaveOneConnection(String link) {
        for (int round = 0; round < 5; round++) {
            Log log = new Log();
            Log other = new Log();
            try (Cluster cluster = new Cluster(link)) {
                MessagingNode one = cluster.start(1, node -> answering(node).listener(log));
                MessagingNode two = cluster.start(2, node -> answering(node).listener(other));
                CountDownLatch start = new CountDownLatch(1);
                List<CompletableFuture<Void>> asking = List.of(
                        CompletableFuture.runAsync(() -> askAt(start, one, 2), THREADS),
                        CompletableFuture.runAsync(() -> askAt(start, two, 1), THREADS));
                start.countDown();
                asking.forEach(CompletableFuture::join);
                assertThat(one.statistics().responses()).isEqualTo(1);
                assertThat(two.statistics().responses()).isEqualTo(1);
                assertThat(log.opened).containsExactly(2);
                assertThat(other.opened).containsExactly(1);
                assertThat(log.ended).isEmpty();
            }
        }
    }

    private static void askAt(CountDownLatch start, MessagingNode node, int other) {
        try {
            start.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        ask(node, other, node.id());
    }

    @Fault(
            value = {20, 27},
            on = Fault.Where.SHM)
    @Test
    @Tag("slow")
    void nodesThatComeAndGoLeaveNothingBehindInSharedMemory() {
        nodesThatComeAndGoLeaveNothingBehind("shm");
    }

    @Fault(
            value = {20, 27},
            on = Fault.Where.TCP)
    @ParameterizedTest
    @ValueSource(strings = {"tcp"})
    void nodesThatComeAndGoLeaveNothingBehind(String link) {
        int rounds = 40;
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, Pings::answering);
            long threads = 0;
            long files = 0;
            for (int round = 0; round < rounds; round++) {
                MessagingNode two = cluster.start(2, Pings::answering);
                ask(one, 2, round);
                cluster.remove(two);
                Deadline.after(PATIENCE)
                        .await(
                                "the end of the connection",
                                () -> one.statistics().connections() == 0);
                if (round == rounds / 2) {
                    threads = threadsOfMessaging();
                    files = openFiles();
                }
            }
            long before = threads;
            Deadline.after(PATIENCE).await("the end of its threads", () -> threadsOfMessaging() <= before);
            long open = files;
            // one or two are the system's and the test's own
            Deadline.after(PATIENCE).await("the end of its files", () -> openFiles() <= open + 4);
        }
        Deadline.after(PATIENCE).await("the end of all threads", () -> threadsOfMessaging() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tcp-blocking"})
    void allConnectionsComeInByTheNodesOwnSocketAndOneThreadKeepsThem(String link) throws IOException {
        int others = 6;
        long before = ListeningSockets.ofThisProcess();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(0, Pings::answering);
            for (int other = 1; other <= others; other++) {
                MessagingNode node = cluster.start(other, Pings::answering);
                ask(other % 2 == 0 ? one : node, other % 2 == 0 ? other : 0, other); // called by it, and by others
            }
            for (int other = 1; other <= others; other++) {
                ask(one, other, other);
            }
            assertThat(one.statistics().connections()).isEqualTo(others);
            assertThat(ListeningSockets.ofThisProcess() - before).isEqualTo(others + 1);
            assertThat(threadsOf("galerna-tcp-keeper")).isEqualTo(1);
            assertThat(threadsOf("galerna-" + link)).isLessThanOrEqualTo(link.equals("tcp") ? 1 : 1 + 4 * others);
        }
        Deadline.after(PATIENCE).await("the end of the thread", () -> threadsOf("galerna-tcp") == 0);
        assertThat(ListeningSockets.ofThisProcess()).isEqualTo(before);
    }

    private static long threadsOfMessaging() {
        return threadsOf("galerna-messaging");
    }

    private static long threadsOf(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Fault(
            value = {1, 2},
            on = Fault.Where.TCP)
    @Test
    void garbageAndSilenceAtTheDoorDelayNobody() throws IOException {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, Pings::answering);
            MessagingNode two = cluster.start(2, Pings::answering);
            List<Socket> strangers = new ArrayList<>();
            Random random = new Random(Seeds.next("strangers"));
            for (int each = 0; each < 40; each++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), two.address().getPort());
                strangers.add(socket);
                byte[] bytes = new byte[1 + random.nextInt(300)];
                random.nextBytes(bytes);
                switch (each % 4) {
                    case 0 -> socket.getOutputStream().write(bytes);
                    case 1 ->
                        socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    case 2 -> socket.close();
                    default -> {
                        // says nothing
                    }
                }
            }
            ask(one, 2, 1);
            for (Socket each : strangers) {
                each.close();
            }
        }
    }

    /** More of them than may be unproved at once, each of which calls again when it is turned away. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void nodesGetInWhileSilentStrangersCallAgainAndAgain(String link) throws InterruptedException {
        AtomicBoolean end = new AtomicBoolean();
        List<Thread> strangers = new ArrayList<>();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, Pings::answering);
            try {
                for (int each = 0; each < 350; each++) {
                    strangers.add(Thread.startVirtualThread(() -> callInSilence(one, end)));
                }
                Deadline.after(PATIENCE)
                        .await(
                                "a stranger that is turned away",
                                () -> one.statistics().refusedCallers() > 0);
                for (int other = 2; other <= 4; other++) {
                    ask(cluster.start(other, Pings::answering), 1, other);
                }
            } finally {
                end.set(true);
                for (Thread each : strangers) {
                    each.interrupt(); // closes its socket
                    each.join();
                }
            }
        }
    }

    private static void callInSilence(MessagingNode node, AtomicBoolean end) {
        while (!end.get()) {
            try (SocketChannel stranger = SocketChannel.open(node.address())) {
                int ignored = stranger.read(ByteBuffer.allocate(100));
            } catch (IOException refused) {
                // again
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** A greeting that hands the connection to a link, with a token that nobody has given. */
    @Fault(
            value = {1, 10},
            on = Fault.Where.TCP)
    @Test
    void aStreamForALinkThatNobodyOpensIsRefused() throws IOException {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, Pings::answering);
            MessagingNode two = cluster.start(2, Pings::answering);
            ask(one, 2, 1);
            byte[] greeting = ByteBuffer.allocate(56)
                    .putLong(0x0a0d_4753_4d4c_4147L)
                    .putShort((short) 2)
                    .putShort((short) 1)
                    .putShort((short) 2)
                    .putShort((short) 2)
                    .array();
            try (Socket stranger =
                    new Socket(InetAddress.getLoopbackAddress(), two.address().getPort())) {
                stranger.getOutputStream().write(greeting);
                assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            }
            Deadline.after(PATIENCE).await("the refusal", () -> two.statistics().refusedCallers() == 1);
            ask(one, 2, 2);
        }
    }

    @Fault(value = 8, on = Fault.Where.TCP)
    @Test
    void aNodeThatCannotListenSaysWhere() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Cluster cluster = new Cluster("tcp")) {
            NodeBuilder builder = answering(cluster.builder(1))
                    .address(1, new java.net.InetSocketAddress(taken.getInetAddress(), taken.getLocalPort()));
            assertThatThrownBy(builder::start)
                    .isInstanceOf(MessagingException.class)
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()));
        }
    }

    @Fault(value = 23, on = Fault.Where.THREADS)
    @Test
    void closingTwiceAndAtOnceDoesNoHarm() throws InterruptedException {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, Pings::answering);
            MessagingNode two = cluster.start(2, Pings::answering);
            ask(one, 2, 1);
            List<Thread> closers = Stream.of(one, two, one, two)
                    .map(node -> Thread.ofPlatform().start(node::close))
                    .toList();
            for (Thread each : closers) {
                each.join();
            }
            assertThatThrownBy(() -> one.send(2, new Ping(1))).isInstanceOf(MessagingException.class);
        }
    }
}
