package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.RequestResponder;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of requests beyond what 31, 32 and 63 bits hold. A node that asks itself, which takes the way of all others. */
class RequestNumbersTest {
    private static final int NODE = 1;
    private static final int REQUESTS = 200;

    /** One more than the largest number of 32 bits. */
    private static final long MODULUS = 1L << 32;

    record Item(long number) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    private final Queue<Responder> questions = new ConcurrentLinkedQueue<>();
    private MessagingNode node;
    private Node inside;

    /** Starts with a number some requests below a boundary, so that it is passed. */
    private void startBelow(long boundary, Receiver<Item> receiver) throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Registration<Item> registration = new Registration<>(ITEM.wire(), Handling.ORDERED, receiver);
        inside = new Node(
                config,
                List.of(ITEM.wire()),
                List.of(registration),
                new ConnectionListener() {},
                boundary - REQUESTS / 2,
                Duration.ofMillis(1).toNanos());
        inside.startThreads();
        node = new MessagingNode(config, inside);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private CompletableFuture<Item> ask(long number) {
        return node.requestAsync(NODE, new Item(number), Item.class, Cluster.PATIENCE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 31, MODULUS, 1L << 53, Long.MIN_VALUE, 0})
    void requestsAreAnsweredWhereNumbersOverflow(long boundary) throws IOException {
        startBelow(boundary, (item, from) -> from.respond(item));
        List<CompletableFuture<Item>> answers = new ArrayList<>();
        for (long number = 0; number < REQUESTS; number++) {
            answers.add(ask(number));
            assertThat(node.request(NODE, new Item(-number), Item.class, Cluster.PATIENCE))
                    .isEqualTo(new Item(-number));
        }
        for (int number = 0; number < REQUESTS; number++) {
            assertThat(answers.get(number).join()).isEqualTo(new Item(number));
        }
        assertThat(node.statistics().pendingRequests()).isZero();
        assertThat(node.statistics().lateResponses()).isZero();
    }

    /** Requests on both sides of the boundary wait; each is answered with the numbers of others before it is with its own. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 31, MODULUS, Long.MIN_VALUE, 0})
    void aResponseWhoseNumberIsEqualInItsLowerBitsFulfilsNothing(long boundary) throws IOException {
        startBelow(boundary, (_, from) -> questions.add(from.responder()));
        Queue<CompletableFuture<Item>> answers = new ArrayDeque<>();
        for (long number = 0; number < REQUESTS; number++) {
            answers.add(ask(number));
        }
        Deadline.after(Cluster.PATIENCE).await("all questions", () -> questions.size() == REQUESTS);
        Connection connection = inside.peers().get(NODE);
        long first = boundary - REQUESTS / 2 + 1;
        long wrong = 0;
        for (long number = 0; number < REQUESTS; number++) {
            long id = first + number;
            for (long other :
                    new long[] {id + MODULUS, id - MODULUS, id ^ Long.MIN_VALUE, (int) id, id & 0xffffffffL}) {
                if (other - first < 0 || other - first >= REQUESTS) { // what fits is the number of a request
                    new RequestResponder(connection, other, System.nanoTime()).respond(new Item(-1));
                    wrong++;
                }
            }
        }
        long expected = wrong;
        Deadline.after(Cluster.PATIENCE)
                .await("all wrong responses", () -> node.statistics().lateResponses() == expected);
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        assertThat(node.statistics().pendingRequests()).isEqualTo(REQUESTS);
        for (long number = 0; number < REQUESTS; number++) {
            questions.remove().respond(new Item(number));
            assertThat(answers.remove().join()).isEqualTo(new Item(number));
        }
    }
}
