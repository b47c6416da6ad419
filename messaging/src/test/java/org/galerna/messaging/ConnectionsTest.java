package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.pending.PendingRequest;
import org.galerna.messaging.support.TimeLimit;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections come and go. */
class ConnectionsTest {
    private static final Duration PATIENCE = Cluster.PATIENCE;

    /** Longer than a tick of the clock by which connections are compared, also while a node sleeps. */
    private static final Duration CLOCK_TICKS = Duration.ofMillis(150);

    private static final Executor THREADS = task -> Thread.ofPlatform().start(task);

    record Ping(long number) {}

    record Pong(long number) {}

    private static final MessageType<Ping> PING = MessageType.record(1, 0, Ping.class);
    private static final MessageType<Pong> PONG = MessageType.record(2, 0, Pong.class);

    /** What a node hears of its connections. */
    private static final class Log implements ConnectionListener {
        final Queue<Integer> opened = new ConcurrentLinkedQueue<>();
        final Queue<String> ended = new ConcurrentLinkedQueue<>();
        final AtomicLong unconfirmed = new AtomicLong();

        @Override
        public void onConnected(int node, String link) {
            opened.add(node);
        }

        @Override
        public void onDisconnected(int node, String reason, long messages) {
            unconfirmed.addAndGet(messages);
            ended.add(node + ": " + reason);
        }
    }

    private static NodeBuilder answering(NodeBuilder builder) {
        return builder.type(PONG).receive(PING, (message, from) -> {
            if (from.isRequest()) {
                from.respond(new Pong(message.number()));
            }
        });
    }

    private static void ask(MessagingNode node, int other, long number) {
        assertThat(node.request(other, new Ping(number), Pong.class, PATIENCE).number())
                .isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void theLeastRecentlyUsedConnectionIsDismissed(String link) {
        try (Cluster cluster = new Cluster(link)) {
            Log log = new Log();
            MessagingNode one =
                    cluster.start(1, node -> answering(node).connections(2).listener(log));
            for (int other = 2; other <= 4; other++) {
                cluster.start(other, ConnectionsTest::answering);
            }
            ask(one, 2, 20);
            ask(one, 3, 30);
            long used = System.nanoTime();
            for (long number = 21; System.nanoTime() - used < CLOCK_TICKS.toNanos(); number++) {
                ask(one, 2, number);
            }
            ask(one, 4, 40);
            Deadline.after(PATIENCE).await("a dismissal", () -> !log.ended.isEmpty());
            assertThat(log.ended).singleElement().asString().startsWith("3: it was used least recently");
            assertThat(log.unconfirmed).hasValue(0);
            ask(one, 3, 31); // opened again
            assertThat(log.opened).containsExactly(2, 3, 4, 3);
        }
    }

    @Test
    void nothingIsLostOrOvertakenWhileConnectionsAreDismissed() {
        int messages = 3000;
        List<AtomicLong> next = Stream.generate(AtomicLong::new).limit(5).toList();
        AtomicInteger wrong = new AtomicInteger();
        Log log = new Log();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(PING).connections(2).listener(log));
            for (int other = 2; other <= 4; other++) {
                AtomicLong expected = next.get(other);
                cluster.start(
                        other,
                        node -> node.receive(PING, (message, _) -> {
                            if (message.number() != expected.getAndIncrement()) {
                                wrong.incrementAndGet();
                            }
                        }));
            }
            Random random = new Random(Seeds.next("dismissals"));
            long[] sent = new long[5];
            for (int other = 2; other <= 4; other++) {
                one.send(other, new Ping(sent[other]++)); // one more than there may be
            }
            for (int message = 0; message < messages; ) {
                int other = 2 + random.nextInt(3);
                for (int burst = 1 + random.nextInt(400); burst > 0; burst--, message++) {
                    one.send(other, new Ping(sent[other]++));
                }
            }
            for (int other = 2; other <= 4; other++) {
                int which = other;
                Deadline.after(PATIENCE)
                        .await(
                                "all messages of node " + other,
                                () -> next.get(which).get() == sent[which]);
            }
            Deadline.after(PATIENCE)
                    .await("a dismissal", () -> log.ended.stream().anyMatch(each -> each.contains("least recently")));
        }
        assertThat(wrong).hasValue(0);
        assertThat(log.unconfirmed).hasValue(0);
    }

    @Fault(value = 23, on = Fault.Where.THREADS)
    @Test
    void requestsUnderWayAreAnsweredBeforeTheirConnectionIsDismissed() {
        CountDownLatch open = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one =
                    cluster.start(1, node -> answering(node).connections(1).listener(new Log()));
            cluster.start(
                    2,
                    node -> node.type(PONG).receive(PING, (message, from) -> {
                        open.await();
                        from.respond(new Pong(message.number()));
                    }));
            cluster.start(3, ConnectionsTest::answering);
            var late = one.requestAsync(2, new Ping(7), Pong.class, PATIENCE);
            ask(one, 3, 8); // the connection to node 2 is one too many now
            assertThat(late).isNotDone();
            open.countDown();
            assertThat(late.join().number()).isEqualTo(7);
            Deadline.after(PATIENCE)
                    .await("the end of the connection", () -> one.statistics().connections() == 1);
        }
    }

    /** Each receiver of node 2 needs node 3, which makes the connection with the asker one too many, and then the asker. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void receiversAskBackOverAConnectionThatIsOneTooMany(String link) {
        Log log = new Log();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode[] nodes = new MessagingNode[4];
            nodes[1] = cluster.start(1, node -> answeringAtOnce(node).listener(log));
            nodes[3] = cluster.start(3, ConnectionsTest::answeringAtOnce);
            Receiver<Ping> receiver = (message, from) -> {
                long there = nodes[2].request(3, message, Pong.class, PATIENCE).number();
                long back = nodes[2].request(1, message, Pong.class, PATIENCE).number();
                from.respond(new Pong(there + back));
            };
            nodes[2] = cluster.start(
                    2, node -> node.type(PONG).connections(1).receive(PING, Handling.CONCURRENT, receiver));
            for (int round = 0; round < 20; round++) {
                assertThat(nodes[1].request(2, new Ping(round), Pong.class, PATIENCE)
                                .number())
                        .isEqualTo(2L * round);
            }
            Deadline.after(PATIENCE)
                    .await("the limit", () -> nodes[2].statistics().connections() == 1);
        }
        assertThat(log.unconfirmed).hasValue(0);
    }

    private static NodeBuilder answeringAtOnce(NodeBuilder builder) {
        return builder.type(PONG)
                .receive(PING, Handling.CONCURRENT, (message, from) -> from.respond(new Pong(message.number())));
    }

    /** As above, by another thread than that of the receiver, which has returned. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void whoAnswersLaterAsksBackOverAConnectionThatIsOneTooMany(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode[] nodes = new MessagingNode[4];
            nodes[1] = cluster.start(1, ConnectionsTest::answeringAtOnce);
            nodes[3] = cluster.start(3, ConnectionsTest::answeringAtOnce);
            Receiver<Ping> receiver = (message, from) -> {
                Responder responder = from.responder();
                Thread ignored = Thread.startVirtualThread(() -> {
                    ask(nodes[2], 3, message.number());
                    ask(nodes[2], 1, message.number());
                    responder.respond(new Pong(message.number()));
                });
            };
            nodes[2] = cluster.start(
                    2, node -> node.type(PONG).connections(1).receive(PING, Handling.CONCURRENT, receiver));
            for (int round = 0; round < 20; round++) {
                ask(nodes[1], 2, round);
            }
        }
    }

    /** It has looked for the connection, and is about to find that nothing can be sent over it any more. */
    @Test
    void aRequestThatComesWhenItsConnectionIsDismissedDoesNotFailWithIt() throws IOException {
        try (Cluster cluster = new Cluster("threads")) {
            NodeConfig config = cluster.builder(1).config();
            Node inside = new Node(config, List.of(PING.wire(), PONG.wire()), List.of(), new ConnectionListener() {});
            inside.start();
            try (MessagingNode one = new MessagingNode(config, inside)) {
                MessagingNode two = cluster.start(2, ConnectionsTest::answering);
                one.addAddress(2, two.address());
                for (int round = 0; round < 20; round++) {
                    Connection connection = inside.peers().get(2);
                    PendingRequest request = inside.parts()
                            .requests()
                            .begin(2, PATIENCE, TimeLimit.deadline(PATIENCE), Pong.class, Thread.currentThread(), null);
                    Deadline.after(PATIENCE).await("the end of the connection", () -> {
                        if (!connection.isLeaving()) { // or not any more: the other side stays
                            request.goesBy(null);
                            connection.dismiss();
                            request.goesBy(connection.isLeaving() ? connection : null);
                        }
                        return inside.parts().poller().connections().length == 0;
                    });
                    assertThat(inside.parts().requests().forget(request)).isTrue();
                    ask(one, 2, round);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void aSlowReceiverKeepsNobodyFromSendingOverAConnectionThatIsOneTooMany(String link) {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        Log log = new Log();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(
                    1,
                    node -> answering(node)
                            .connections(1)
                            .connectTimeout(Duration.ofSeconds(2))
                            .listener(log));
            cluster.start(
                    2,
                    node -> node.type(PONG).receive(PING, Handling.CONCURRENT, (message, from) -> {
                        if (message.number() == 0) {
                            open.await();
                        }
                        if (from.isRequest()) {
                            from.respond(new Pong(message.number()));
                        }
                        received.incrementAndGet();
                    }));
            cluster.start(3, ConnectionsTest::answering);
            one.send(2, new Ping(0)); // is not handled
            for (int round = 1; round <= 20; round++) {
                ask(one, 3, round);
                ask(one, 2, round);
            }
            assertThat(received.get()).isBetween(19, 20); // the last one may be about to return
            open.countDown();
            Deadline.after(PATIENCE).await("all", () -> received.get() == 21);
            Deadline.after(PATIENCE).await("the limit", () -> one.statistics().connections() == 1);
        }
        assertThat(log.unconfirmed).hasValue(0);
    }

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
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void nodesThatComeAndGoLeaveNothingBehind(String link) {
        int rounds = 40;
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, ConnectionsTest::answering);
            long threads = 0;
            long files = 0;
            for (int round = 0; round < rounds; round++) {
                MessagingNode two = cluster.start(2, ConnectionsTest::answering);
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
            MessagingNode one = cluster.start(0, ConnectionsTest::answering);
            for (int other = 1; other <= others; other++) {
                MessagingNode node = cluster.start(other, ConnectionsTest::answering);
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
            MessagingNode one = cluster.start(1, ConnectionsTest::answering);
            MessagingNode two = cluster.start(2, ConnectionsTest::answering);
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
            MessagingNode one = cluster.start(1, ConnectionsTest::answering);
            try {
                for (int each = 0; each < 350; each++) {
                    strangers.add(Thread.startVirtualThread(() -> callInSilence(one, end)));
                }
                Deadline.after(PATIENCE)
                        .await(
                                "a stranger that is turned away",
                                () -> one.statistics().refusedCallers() > 0);
                for (int other = 2; other <= 4; other++) {
                    ask(cluster.start(other, ConnectionsTest::answering), 1, other);
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
            MessagingNode one = cluster.start(1, ConnectionsTest::answering);
            MessagingNode two = cluster.start(2, ConnectionsTest::answering);
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
            MessagingNode one = cluster.start(1, ConnectionsTest::answering);
            MessagingNode two = cluster.start(2, ConnectionsTest::answering);
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
