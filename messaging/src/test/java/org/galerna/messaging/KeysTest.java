package org.galerna.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that change without a stop, and what nodes may send. */
class KeysTest {
    record Question(int number) {}

    record Answer(int number) {}

    record Note(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);
    private static final MessageType<Note> NOTE = MessageType.record(3, 0, Note.class);

    private static final String OLD = "the key of yesterday";
    private static final String NEW = "the key of tomorrow";

    @TempDir
    private Path folder;

    private Path file(String name, String... keys) throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, List.of(keys));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private static MessagingNode start(Cluster cluster, int id, Path keys) {
        return cluster.start(
                id,
                node -> node.keys(KeySource.file(keys))
                        .type(ANSWER)
                        .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
    }

    private static void assertTalk(MessagingNode one, MessagingNode other) {
        assertThat(one.request(other.id(), new Question(1), Answer.class, Cluster.PATIENCE))
                .isEqualTo(new Answer(1));
    }

    /** Each step is that of one node after the other, and a new connection is opened after each of them. */
    @Test
    void keysChangeWithoutAStop() throws IOException {
        Path first = file("first", OLD);
        Path second = file("second", OLD);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode lasting = start(cluster, 1, first);
            int number = 10;
            for (List<String> step : List.of(List.of(OLD), List.of(OLD, NEW), List.of(NEW, OLD), List.of(NEW))) {
                for (Path each : List.of(first, second)) {
                    Files.write(each, step);
                    number++;
                    MessagingNode started = start(cluster, number, second);
                    assertTalk(lasting, started);
                    MessagingNode other = start(cluster, number + 100, second);
                    assertTalk(other, lasting);
                }
            }
            Path stale = file("stale", OLD);
            MessagingNode late = start(cluster, 2, stale);
            assertThatThrownBy(() -> late.request(1, new Question(1), Answer.class, Cluster.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.WRONG_KEY));
        }
    }

    @Test
    void keysThatCannotBeReadStayAsTheyWere() throws IOException {
        Path keys = file("keys", OLD);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = start(cluster, 1, keys);
            Path other = file("other", OLD);
            Files.delete(keys);
            assertTalk(start(cluster, 2, other), one);
            Files.write(keys, List.of("short"));
            Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
            assertTalk(start(cluster, 3, other), one);
        }
    }

    @Test
    void whateverASourceThrowsTheKeysStayAsTheyWere() {
        AtomicReference<Supplier<List<byte[]>>> source = new AtomicReference<>(() -> List.of(OLD.getBytes(UTF_8)));
        try (Cluster cluster = new Cluster("tcp");
                LoggedLines log = new LoggedLines()) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.keys(() -> source.get().get())
                            .type(ANSWER)
                            .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
            List<Supplier<List<byte[]>>> failing = List.of(
                    () -> {
                        throw new NoClassDefFoundError("of the vault");
                    },
                    () -> {
                        throw new IllegalStateException("the vault is closed");
                    },
                    List::of);
            int node = 2;
            for (Supplier<List<byte[]>> each : failing) {
                source.set(each);
                MessagingNode caller = cluster.start(
                        node++, builder -> builder.key(OLD).type(ANSWER).type(QUESTION));
                assertTalk(caller, one);
                source.set(() -> List.of(OLD.getBytes(UTF_8)));
                assertTalk(
                        cluster.start(
                                node++, builder -> builder.key(OLD).type(ANSWER).type(QUESTION)),
                        one);
            }
            assertThat(log.with("node 1: the keys of the cluster cannot be read, and stay as they were"))
                    .hasSize(failing.size());
        }
    }

    @Test
    void eachReasonForWhichKeysCannotBeReadIsLogged() {
        AtomicReference<String> obstacle = new AtomicReference<>("");
        ClusterKeys keys = ClusterKeys.of(7, () -> {
            if (!obstacle.get().isEmpty()) {
                throw new IOException(obstacle.get());
            }
            return List.of(OLD.getBytes(UTF_8));
        });
        try (LoggedLines log = new LoggedLines()) {
            for (String each : List.of("the vault is closed", "the vault is gone")) {
                obstacle.set(each);
                Deadline.after(Cluster.PATIENCE).await("its line", () -> {
                    assertThat(keys.current()).hasSize(1);
                    return !log.with("stay as they were: " + each).isEmpty();
                });
            }
            assertThat(log.with("node 7: the keys of the cluster cannot be read"))
                    .hasSize(2);
        }
    }

    @Test
    void aFileThatEverybodyCanReadIsRefused() throws IOException {
        Path keys = file("keys", OLD);
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
        try (Cluster cluster = new Cluster("tcp")) {
            assertThatThrownBy(() -> start(cluster, 1, keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be read: all users of this host")
                    .hasMessageContaining("chmod o-r");
            assertThatThrownBy(() -> start(cluster, 1, folder.resolve("none")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("none");
            AtomicReference<List<byte[]>> none = new AtomicReference<>(List.of());
            assertThatThrownBy(() -> cluster.builder(1).keys(none::get).start()).hasMessageContaining("no key");
        }
    }

    interface Secrets {
        int secret();
    }

    private static void assertForbidden(Runnable call, String text) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.FORBIDDEN))
                .hasMessageContaining(text);
    }

    /** What it throws is said in the log there, and not to the other node. */
    @Test
    void anAuthorizationThatThrowsLetsNobodyDoAnything() throws InterruptedException {
        Authorization decision = new Authorization() {
            @Override
            public boolean maySend(int sender, MessageType<?> type) {
                throw new IllegalStateException("no directory");
            }

            @Override
            public boolean mayCall(int sender, Class<?> service) {
                throw new StackOverflowError("no directory");
            }
        };
        try (LoggedLines log = new LoggedLines();
                Cluster cluster = new Cluster("threads")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.authorize(decision)
                            .serve(Secrets.class, () -> 42)
                            .publish(NOTE, new SubmissionPublisher<>())
                            .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
            MessagingNode one =
                    cluster.start(1, node -> node.type(ANSWER).type(QUESTION).type(NOTE));
            assertForbidden(
                    () -> one.request(2, new Question(1), Answer.class, Cluster.PATIENCE),
                    "node 1 may not send messages of type");
            assertForbidden(() -> one.service(2, Secrets.class).secret(), "node 1 may not call");
            BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
            one.publisher(2, Note.class).subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    subscription.request(1);
                }

                @Override
                public void onNext(Note note) {
                    throw new AssertionError(note);
                }

                @Override
                public void onError(Throwable thrown) {
                    failures.add(thrown);
                }

                @Override
                public void onComplete() {
                    throw new AssertionError("no error");
                }
            });
            assertThat(failures.take())
                    .hasMessageContaining("node 1 may not subscribe to type")
                    .hasMessageNotContaining("directory");
            assertThat(two.statistics().receiverFailures()).isEqualTo(3);
            Deadline.after(Cluster.PATIENCE)
                    .await(
                            "the log",
                            () -> log.with("the authorization has thrown", "no directory")
                                            .size()
                                    == 3);
        }
    }

    @Test
    void whatANodeMayNotSendIsNotReceived() {
        AtomicInteger notes = new AtomicInteger();
        Authorization decision = new Authorization() {
            @Override
            public boolean maySend(int sender, MessageType<?> type) {
                return sender == 3 || type.type() == Answer.class;
            }

            @Override
            public boolean mayCall(int sender, Class<?> service) {
                return sender == 3;
            }
        };
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.authorize(decision)
                            .type(ANSWER)
                            .serve(Secrets.class, () -> 42)
                            .receive(NOTE, (_, _) -> notes.incrementAndGet())
                            .receive(QUESTION, (question, from) -> from.respond(new Answer(question.number()))));
            MessagingNode one =
                    cluster.start(1, node -> node.type(ANSWER).type(QUESTION).type(NOTE));
            MessagingNode three =
                    cluster.start(3, node -> node.type(ANSWER).type(QUESTION).type(NOTE));
            assertForbidden(
                    () -> one.request(2, new Question(1), Answer.class, Cluster.PATIENCE), "node 1 may not send");
            assertForbidden(() -> one.service(2, Secrets.class).secret(), "node 1 may not call");
            assertThat(three.service(2, Secrets.class).secret()).isEqualTo(42);
            assertTalk(three, two);
            one.send(2, new Note(1));
            one.flush();
            three.send(2, new Note(2));
            three.flush();
            Deadline.after(Cluster.PATIENCE)
                    .await("the messages", () -> two.statistics().receiverFailures() == 3 && notes.get() == 1);
        }
    }
}
