package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.messaging.Pings.PING;
import static org.galerna.messaging.Pings.PONG;
import static org.galerna.messaging.Pings.answering;
import static org.galerna.messaging.Pings.ask;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.galerna.messaging.Pings.Log;
import org.galerna.messaging.Pings.Ping;
import org.galerna.messaging.Pings.Pong;
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

/** Connections that are one too many, and what is under way over them. */
class DismissalsTest {
    private static final Duration PATIENCE = Cluster.PATIENCE;

    /** Longer than a tick of the clock by which connections are compared, also while a node sleeps. */
    private static final Duration CLOCK_TICKS = Duration.ofMillis(150);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void theLeastRecentlyUsedConnectionIsDismissed(String link) {
        try (Cluster cluster = new Cluster(link)) {
            Log log = new Log();
            MessagingNode one =
                    cluster.start(1, node -> answering(node).connections(2).listener(log));
            for (int other = 2; other <= 4; other++) {
                cluster.start(other, Pings::answering);
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
            cluster.start(3, Pings::answering);
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
            nodes[3] = cluster.start(3, DismissalsTest::answeringAtOnce);
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
            nodes[1] = cluster.start(1, DismissalsTest::answeringAtOnce);
            nodes[3] = cluster.start(3, DismissalsTest::answeringAtOnce);
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
                MessagingNode two = cluster.start(2, Pings::answering);
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
            cluster.start(3, Pings::answering);
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
}
