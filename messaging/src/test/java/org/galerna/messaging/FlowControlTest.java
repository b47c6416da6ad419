package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a node holds for another one, and that what is long gets through all the same. */
class FlowControlTest {
    private static final int WINDOW = 64 * 1024;

    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Bulk(int number, byte[] bytes) {}

    record Done(int number) {}

    static final MessageType<Bulk> BULK = MessageType.record(1, 0, Bulk.class);
    static final MessageType<Done> DONE = MessageType.record(2, 0, Done.class);

    private static Bulk bulk(int number, int bytes) {
        return new Bulk(number, new byte[bytes]);
    }

    private static Deadline patience() {
        return Deadline.after(Cluster.PATIENCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void longMessagesWaitAtTheirSenderWhileOneIsHandled(String link) {
        CountDownLatch release = new CountDownLatch(1);
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(BULK).window(WINDOW).sendTimeout(Duration.ofMillis(300)));
            cluster.start(
                    2,
                    node -> node.receive(BULK, (bulk, _) -> {
                        release.await();
                        received.add(bulk.number());
                    }));
            AtomicInteger accepted = new AtomicInteger();
            MessagingException late = catchThrowableOfType(MessagingException.class, () -> {
                while (accepted.get() < 20) {
                    one.send(2, bulk(accepted.get(), 10 * WINDOW));
                    accepted.incrementAndGet();
                }
            });
            assertThat(accepted).as("messages at the receiver").hasValue(1);
            assertThat(late.reason()).isEqualTo(MessagingException.Reason.TIMEOUT);
            release.countDown();
            patience().await("the first message", () -> received.size() == 1);
            one.send(2, bulk(1, 10 * WINDOW));
            one.send(2, bulk(2, 10 * WINDOW));
            patience().await("the others", () -> received.size() == 3);
        }
        assertThat(received).containsExactly(0, 1, 2);
    }

    /** Each of them holds the one before until it is answered. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void receiversAskBackAndForthWithMessagesLongerThanTheWindow(String link) {
        int depth = 6;
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode[] nodes = new MessagingNode[3];
            for (int id = 1; id <= 2; id++) {
                int self = id;
                nodes[id] = cluster.start(
                        id,
                        node -> node.type(DONE)
                                .window(WINDOW)
                                .handlers(depth)
                                .receive(BULK, Handling.CONCURRENT, (bulk, from) -> {
                                    Done below = bulk.number() == 0
                                            ? new Done(0)
                                            : nodes[self].request(
                                                    from.sender(),
                                                    bulk(bulk.number() - 1, 4 * WINDOW),
                                                    Done.class,
                                                    Cluster.PATIENCE);
                                    from.respond(new Done(below.number() + 1));
                                }));
            }
            Done done = nodes[1].request(2, bulk(depth, 4 * WINDOW), Done.class, Cluster.PATIENCE);
            assertThat(done.number()).isEqualTo(depth + 1);
        }
    }

    /** Both nodes' handlers send what is longer than the window, and receive it in the meantime. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void receiversOnBothSidesSendLongMessages(String link) {
        int rounds = 20;
        AtomicInteger ends = new AtomicInteger();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode[] nodes = new MessagingNode[3];
            for (int id = 1; id <= 2; id++) {
                int self = id;
                nodes[id] = cluster.start(
                        id,
                        node -> node.window(WINDOW).handlers(4).receive(BULK, Handling.CONCURRENT, (bulk, from) -> {
                            if (bulk.number() == 0) {
                                ends.incrementAndGet();
                            } else {
                                nodes[self].send(from.sender(), bulk(bulk.number() - 1, 3 * WINDOW));
                            }
                        }));
            }
            nodes[1].send(2, bulk(rounds, 3 * WINDOW));
            nodes[2].send(1, bulk(rounds, 3 * WINDOW));
            patience().await("both ends", () -> ends.get() == 2);
        }
    }

    /** Writes some pieces, and then throws if the number is negative. */
    record Moody(int number) {}

    private static final MessageType<Moody> MOODY = MessageType.of(3, 0, Moody.class, new Serializer<>() {
        @Override
        public void write(Moody value, Exporter out) {
            out.writeInt(value.number());
            out.writeByteArray(new byte[WINDOW / 2]);
            if (value.number() < 0 && out.written() != 0 && calls++ % 2 == 1) { // not while it is measured
                throw new IllegalArgumentException("moody");
            }
        }

        @Override
        public Moody read(Importer in, @Nullable Moody reused) {
            return new Moody(in.readInt());
        }

        private int calls;
    });

    @Test
    void piecesThatAreTakenBackLeaveRoomForOthers() {
        CountDownLatch release = new CountDownLatch(1);
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one =
                    cluster.start(1, node -> node.type(BULK).type(MOODY).window(WINDOW));
            cluster.start(
                    2,
                    node -> node.receive(BULK, (bulk, _) -> release.await())
                            .receive(MOODY, (moody, _) -> received.add(moody.number())));
            one.send(2, bulk(0, 2 * WINDOW)); // goes beyond the window until it is released
            for (int round = 0; round < 20; round++) {
                assertThatThrownBy(() -> one.send(2, new Moody(-1))).hasMessage("moody");
            }
            release.countDown();
            for (int round = 0; round < 20; round++) {
                assertThatThrownBy(() -> one.send(2, new Moody(-1))).hasMessage("moody");
                one.send(2, new Moody(round));
            }
            patience().await("all others", () -> received.size() == 20);
            assertThat(one.statistics().connections()).isEqualTo(1);
        }
    }

    @Test
    void sendsThatWaitAreCountedOnce() {
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(BULK).window(WINDOW));
            cluster.start(2, node -> node.receive(BULK, (_, _) -> received.incrementAndGet()));
            for (int number = 0; number < 3; number++) {
                one.send(2, bulk(number, 100 * WINDOW));
            }
            patience().await("all messages", () -> received.get() == 3);
            assertThat(one.statistics().blockedSends()).isBetween(1L, 3L);
            assertThat(one.statistics().sent()).isEqualTo(3);
        }
    }
}
