package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.support.FailureLog;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever code of users throws fails one message, and is told to whoever waits for it. */
class HostileCodeTest {
    record Question(int number) {}

    record Answer(int number) {}

    /** What a node says to another one that cannot read it. */
    record Trap(int number) {}

    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Lengthy(byte[] bytes) {}

    record Unregistered(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);
    private static final MessageType<Lengthy> LENGTHY = MessageType.record(4, 0, Lengthy.class);

    /** Far longer than anything here takes, far shorter than the patience of the tests. */
    private static final Duration LIMIT = Cluster.PATIENCE;

    private static final int LONGEST = 100_000;

    private final Logger reports = Logger.getLogger(MessagingNode.class.getName());
    private final List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
    private final Handler collector = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void collect() {
        reports.addHandler(collector);
        reports.setUseParentHandlers(false);
    }

    @AfterEach
    void collectNoMore() {
        reports.removeHandler(collector);
        reports.setUseParentHandlers(true);
    }

    /** Written as a number; throws when it is read. */
    private static MessageType<Trap> trap(Throwable thrown) {
        return MessageType.of(3, 0, Trap.class, new Serializer<>() {
            @Override
            public void write(Trap value, Exporter out) {
                out.writeInt(value.number());
            }

            @Override
            public Trap read(Importer in, @Nullable Trap reused) {
                throw HostileCodeTest.<RuntimeException>sneaky(thrown);
            }
        });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the trick
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static void assertRemote(ThrowingCallable call, String text) {
        assertFailsAtOnce(call, MessagingException.Reason.REMOTE, text);
    }

    private static void assertFailsAtOnce(ThrowingCallable call, MessagingException.Reason reason, String text) {
        long begin = System.nanoTime();
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(reason))
                .hasMessageContaining(text);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LIMIT.dividedBy(2));
    }

    private static Throwable causeOf(CompletableFuture<?> future) {
        Deadline.after(Cluster.PATIENCE).await("the end of the future", future::isDone);
        return future.handle((_, failure) -> failure).join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void anErrorWhileAResponseIsReadFailsThatRequestAlone(String link) throws InterruptedException {
        AtomicInteger notes = new AtomicInteger();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(QUESTION)
                            .type(trap(new AssertionError("a trap")))
                            .receive(ANSWER, (_, _) -> {
                                notes.incrementAndGet();
                            }));
            MessagingNode two = cluster.start(
                    2,
                    node -> node.type(ANSWER)
                            .type(trap(new AssertionError("a trap")))
                            .receive(
                                    QUESTION,
                                    (asked, from) -> from.respond(
                                            asked.number() < 0 ? new Trap(1) : new Answer(asked.number()))));
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> innocent = new ArrayList<>();
            for (int each = 0; each < 4; each++) {
                innocent.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int number = 0; number < 200; number++) {
                            Answer answer = one.request(2, new Question(number), Answer.class, LIMIT);
                            assertThat(answer.number()).isEqualTo(number);
                        }
                    } catch (Throwable failed) {
                        wrong.set(failed);
                    }
                }));
            }
            for (int each = 0; each < 20; each++) {
                assertRemote(() -> one.request(2, new Question(-1), Trap.class, LIMIT), "a trap");
                assertThat(causeOf(one.requestAsync(2, new Question(-1), Trap.class, LIMIT)))
                        .hasMessageContaining("AssertionError")
                        .hasMessageContaining("a trap");
            }
            for (Thread each : innocent) {
                each.join();
            }
            assertThat(wrong.get()).isNull();
            two.send(1, new Answer(5));
            Deadline.after(Cluster.PATIENCE).await("a message to a handler", () -> notes.get() == 1);
            assertThat(one.statistics().pendingRequests()).isZero();
        }
    }

    @SuppressWarnings("OverrideThrowableToString") // it is to fail in every way
    @Test
    void whatAReceiverThrowsReachesWhoeverAsksWhateverItsTextIs() {
        RuntimeException mute = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                throw new AssertionError("no text");
            }
        };
        List<Throwable> thrown = List.of(
                new AssertionError("plain"),
                mute,
                new IllegalStateException("plain" + "x".repeat(10 * LONGEST)),
                new IllegalStateException("plain" + "ß".repeat(10 * LONGEST)),
                new IllegalStateException("plain" + "日".repeat(10 * LONGEST)),
                new Exception((String) null),
                new StackOverflowError("plain"),
                new OutOfMemoryError("plain"));
        List<String> texts = List.of(
                "plain", "its toString throws", "plainx", "plainß", "plain日", "java.lang.Exception", "Stack", "Memory");
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION).type(ANSWER));
            cluster.start(
                    2,
                    node -> node.type(ANSWER).maximumMessage(LONGEST).receive(QUESTION, (asked, from) -> {
                        if (asked.number() >= 0) {
                            throw sneaky(thrown.get(asked.number()));
                        }
                        from.respond(new Answer(asked.number()));
                    }));
            for (int round = 0; round < 3; round++) {
                for (int each = 0; each < thrown.size(); each++) {
                    int number = each;
                    assertRemote(() -> one.request(2, new Question(number), Answer.class, LIMIT), texts.get(number));
                }
                assertThat(one.request(2, new Question(-1), Answer.class, LIMIT).number())
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void anAnswerThatCannotBeSentIsToldAtOnce() {
        List<Throwable> atResponder = Collections.synchronizedList(new ArrayList<>());
        MessageType<Trap> half = MessageType.of(3, 0, Trap.class, new Serializer<>() {
            @Override
            public void write(Trap value, Exporter out) {
                out.writeInt(1);
                throw new AssertionError("half written");
            }

            @Override
            public Trap read(Importer in, @Nullable Trap reused) {
                return new Trap(in.readInt());
            }
        });
        Object[] answers = {new Unregistered(1), new Lengthy(new byte[2 * LONGEST]), new Trap(1)};
        String[] texts = {
            "no message type is registered for " + Unregistered.class.getName(),
            "takes more than the 100000 bytes",
            "half written"
        };
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(half).type(LENGTHY));
            cluster.start(
                    2,
                    node -> node.type(half)
                            .type(LENGTHY)
                            .maximumMessage(LONGEST)
                            .receive(QUESTION, (asked, from) -> {
                                Object answer = answers[asked.number() % answers.length];
                                if (asked.number() < answers.length) {
                                    from.respond(answer);
                                    return;
                                }
                                Responder later = from.responder();
                                Thread ignored = Thread.startVirtualThread(() -> {
                                    try {
                                        later.respond(answer);
                                    } catch (Throwable failed) {
                                        atResponder.add(failed);
                                    }
                                });
                            }));
            for (int each = 0; each < 2 * answers.length; each++) {
                int number = each;
                assertFailsAtOnce(
                        () -> one.request(2, new Question(number), Object.class, LIMIT),
                        MessagingException.Reason.UNANSWERABLE,
                        texts[number % answers.length]);
            }
            Deadline.after(Cluster.PATIENCE).await("the exceptions", () -> atResponder.size() == answers.length);
        }
    }

    @Test
    void aDeliveryThatIsUsedTooLateThrowsAndAnswersNothing() {
        AtomicReference<Delivery> kept = new AtomicReference<>();
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION).type(ANSWER));
            cluster.start(
                    2,
                    node -> node.type(ANSWER).handlers(1).receive(QUESTION, (asked, from) -> {
                        Delivery stale = kept.getAndSet(from);
                        if (stale != null) { // of the request before, by the same thread
                            for (Runnable call : List.<Runnable>of(
                                    () -> stale.respond(new Answer(-1)),
                                    stale::responder,
                                    stale::sender,
                                    stale::isRequest)) {
                                try {
                                    call.run();
                                } catch (IllegalStateException expected) {
                                    thrown.add(expected);
                                }
                            }
                        }
                        if (asked.number() >= 0) {
                            from.respond(new Answer(asked.number()));
                        }
                    }));
            one.send(2, new Question(-1));
            for (int number = 0; number < 10; number++) {
                assertThat(one.request(2, new Question(number), Answer.class, LIMIT)
                                .number())
                        .isEqualTo(number);
            }
            assertThat(thrown).hasSize(40);
            assertThatThrownBy(() -> kept.get().respond(new Answer(-1))).hasMessageContaining("take its responder");
        }
    }

    /** The next message is none of its business. */
    @Test
    void anInterruptOfAReceiverEndsWithIt() {
        AtomicInteger slept = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(QUESTION));
            cluster.start(
                    2,
                    node -> node.handlers(1).receive(QUESTION, (asked, _) -> {
                        if (Thread.currentThread().isInterrupted()) {
                            return;
                        }
                        slept.incrementAndGet();
                        Thread.currentThread().interrupt();
                    }));
            for (int number = 0; number < 100; number++) {
                one.send(2, new Question(number));
            }
            Deadline.after(Cluster.PATIENCE).await("all messages", () -> slept.get() == 100);
        }
    }

    @Test
    void aListenerThatThrowsErrorsDoesNoHarm() {
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void onConnected(int node, String link) {
                throw new AssertionError("connected");
            }

            @Override
            public void onDisconnected(int node, String reason, long unconfirmed) {
                throw new AssertionError("disconnected");
            }
        };
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(QUESTION).type(ANSWER).listener(listener));
            for (int round = 0; round < 3; round++) {
                MessagingNode two = cluster.start(
                        2,
                        node -> node.type(ANSWER)
                                .listener(listener)
                                .receive(QUESTION, (asked, from) -> from.respond(new Answer(asked.number()))));
                assertThat(one.request(2, new Question(round), Answer.class, LIMIT)
                                .number())
                        .isEqualTo(round);
                cluster.remove(two);
                Deadline.after(Cluster.PATIENCE)
                        .await(
                                "the end of the connection",
                                () -> one.statistics().connections() == 0);
            }
        }
    }

    record First(int number) {}

    record Second(int number) {}

    record Third(int number) {}

    /** Of all types together. */
    @Test
    void aStormOfFailuresIsLoggedNowAndThenAndCountedCompletely() {
        int failures = 20_000;
        long begin = System.nanoTime();
        try (Cluster cluster = new Cluster("threads")) {
            List<MessageType<?>> later = List.of(
                    MessageType.record(11, 0, First.class),
                    MessageType.record(12, 0, Second.class),
                    MessageType.record(13, 0, Third.class));
            MessagingNode one = cluster.start(1, node -> {
                later.forEach(node::type);
                return node.type(QUESTION);
            });
            MessagingNode two = cluster.start(2, node -> {
                later.forEach(type -> node.receiveAsync(
                        type, (_, _) -> CompletableFuture.failedFuture(new IllegalStateException("later"))));
                return node.receive(QUESTION, (_, _) -> {
                    throw new IllegalStateException("again");
                });
            });
            for (int number = 0; number < failures; number++) {
                one.send(2, new First(number));
                one.send(2, new Second(number));
                one.send(2, new Third(number));
                one.send(2, new Question(number));
            }
            one.flush();
            Deadline.after(Cluster.PATIENCE)
                    .await("all failures", () -> two.statistics().receiverFailures() == failures);
            long periods = Duration.ofNanos(System.nanoTime() - begin).toSeconds() + 2;
            assertThat(logged.size()).isBetween(1, (int) (periods * FailureLog.MOST));
            Deadline.after(Cluster.PATIENCE)
                    .await(
                            "the number of those left out",
                            () -> List.copyOf(logged).stream()
                                    .anyMatch(entry -> entry.getMessage().contains("were not logged")));
        }
    }
}
