package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** Every way in which a request cannot be answered has a reason that a program can go by. */
class ReasonsTest {
    record Question(int number) {}

    record Answer(int number) {}

    record Stranger(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final byte[] MAGIC = {0x0a, 0x0d, 0x47, 0x53, 0x4d, 0x4c, 0x41, 0x47};

    private static MessagingNode asker(Cluster cluster, InetSocketAddress other) {
        return cluster.start(
                1, node -> node.type(QUESTION).type(ANSWER).address(2, other).connectTimeout(SHORT));
    }

    /** Fails the same way for a thread that waits and for a future, which never makes its caller wait. */
    private static void assertFails(MessagingNode asker, Reason reason, String... texts) {
        long begin = System.nanoTime();
        CompletableFuture<Answer> future = asker.requestAsync(2, new Question(1), Answer.class, Cluster.PATIENCE);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Cluster.PATIENCE.dividedBy(4));
        Deadline.after(Cluster.PATIENCE).await("the end of the future", future::isDone);
        assertThat(future.handle((_, failure) -> failure).join())
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(reason));
        assertThatThrownBy(() -> asker.request(2, new Question(1), Answer.class, Cluster.PATIENCE))
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(reason))
                .hasMessageContainingAll(texts);
    }

    @Test
    void aHostThatNobodyKnows() {
        try (Cluster cluster = new Cluster("tcp")) {
            assertFails(
                    asker(cluster, InetSocketAddress.createUnresolved("nowhere.invalid", 7000)),
                    Reason.UNKNOWN_HOST,
                    "node 2",
                    "there is no host nowhere.invalid");
        }
    }

    @Test
    void anAddressWhereNobodyListens() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Cluster cluster = new Cluster("tcp")) {
            assertFails(
                    asker(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                    Reason.UNREACHABLE,
                    "node 2",
                    "refused");
        }
    }

    @Test
    void aNodeWithAnotherKey() {
        try (Cluster cluster = new Cluster("tcp");
                MessagingNode two =
                        cluster.builder(2).key("another key of another cluster").start()) {
            assertFails(asker(cluster, two.address()), Reason.WRONG_KEY, "node 2", "does not know the key");
        }
    }

    @Test
    void aNodeThatSpeaksAnotherVersion() throws IOException {
        try (Cluster cluster = new Cluster("tcp");
                ServerSocket later = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerAsVersion(later, (short) 77));
            assertFails(
                    asker(cluster, (InetSocketAddress) later.getLocalSocketAddress()),
                    Reason.INCOMPATIBLE,
                    "node 2",
                    "it speaks version 77 of the protocol");
        }
    }

    private static void answerAsVersion(ServerSocket listener, short version) {
        while (!listener.isClosed()) {
            try (Socket caller = listener.accept()) {
                caller.getInputStream().readNBytes(56);
                caller.getOutputStream()
                        .write(ByteBuffer.allocate(72)
                                .put(MAGIC)
                                .putShort(version)
                                .array());
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** What the other one is told, which may be a version that is not written yet. */
    @Test
    void aCallerOfAnotherVersionIsTold() throws IOException {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode node = cluster.start(1, builder -> builder);
            try (Socket caller =
                    new Socket(node.address().getAddress(), node.address().getPort())) {
                caller.setSoTimeout((int) Cluster.PATIENCE.toMillis());
                caller.getOutputStream()
                        .write(ByteBuffer.allocate(56)
                                .put(MAGIC)
                                .putShort((short) 77)
                                .array());
                byte[] answer = new byte[72];
                new DataInputStream(caller.getInputStream()).readFully(answer);
                assertThat(answer).startsWith(MAGIC);
                assertThat(ByteBuffer.wrap(answer, 8, 2).getShort()).isEqualTo((short) 4);
            }
            Deadline.after(Cluster.PATIENCE)
                    .await("the count", () -> node.statistics().refusedCallers() == 1);
        }
    }

    @Test
    void aNodeThatWasStartedAgainElsewhere() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER)
                            .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
            MessagingNode early = asker(cluster, two.address());
            try (MessagingNode later = cluster.builder(1)
                    .address(2, two.address())
                    .type(QUESTION)
                    .type(ANSWER)
                    .start()) {
                assertThat(later.request(2, new Question(3), Answer.class, Cluster.PATIENCE))
                        .isEqualTo(new Answer(3));
                assertFails(early, Reason.REPLACED, "node 2", "started after this one");
            }
        }
    }

    @Test
    void answersThatCannotBeGiven() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER).receive(QUESTION, (_, from) -> {
                        from.respond(new Stranger(1));
                    }));
            assertFails(asker(cluster, two.address()), Reason.UNANSWERABLE, "node 2", "no message type is registered");
        }
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER).receive(QUESTION, (_, _) -> {
                        throw new IllegalStateException("not today");
                    }));
            assertFails(asker(cluster, two.address()), Reason.REMOTE, "node 2", "not today");
        }
    }

    @Test
    void aNodeThatIsClosed() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = asker(cluster, Cluster.anyPort());
            one.close();
            assertFails(one, Reason.CLOSED, "node 1 is closed");
        }
    }

    /** It never answers, however long each step on the way to it may take. */
    @Test
    void aNodeThatIsSilentTakesNoLongerThanTheRequestMay() throws IOException {
        try (Cluster cluster = new Cluster("tcp");
                ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(QUESTION).type(ANSWER).address(2, (InetSocketAddress)
                            silent.getLocalSocketAddress()));
            long begin = System.nanoTime();
            CompletableFuture<Answer> future = one.requestAsync(2, new Question(1), Answer.class, SHORT);
            assertThatThrownBy(() -> one.request(2, new Question(1), Answer.class, SHORT))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.TIMEOUT));
            Deadline.after(Cluster.PATIENCE).await("the end of the future", future::isDone);
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isGreaterThanOrEqualTo(SHORT)
                    .isLessThan(SHORT.plus(Cluster.PATIENCE.dividedBy(4)));
        }
    }
}
