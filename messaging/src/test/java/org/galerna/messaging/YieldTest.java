package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A handler that leaves the polling to threads of the application is there when it is needed, and not only when its time is
 * over: here that takes hours. A node that sends to itself.
 */
class YieldTest {
    private static final int NODE = 1;

    record Item(int number) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    private final AtomicInteger received = new AtomicInteger();
    private Engine engine;
    private Peers peers;
    private MessagingNode node;

    @BeforeEach
    void start() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Registration<Item> registration = new Registration<>(ITEM, Handling.ORDERED, (item, from) -> {
            received.incrementAndGet();
            if (from.isRequest()) {
                from.respond(item);
            }
        });
        engine = new Engine(
                config,
                List.of(ITEM),
                List.of(registration),
                new ConnectionListener() {},
                0,
                TimeUnit.HOURS.toNanos(1));
        peers = new Peers(engine);
        engine.start(peers);
        node = new MessagingNode(config, engine, peers);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void pollUntilTheHandlerYields() {
        Deadline.after(Cluster.PATIENCE).await("a handler that leaves the polling to this thread", () -> {
            int ignored = engine.poller().help();
            return engine.waiters().yielding() == 1;
        });
    }

    @Test
    void whatAThreadOfTheApplicationFindsIsHandledAtOnce() {
        for (int round = 1; round <= 20; round++) {
            int expected = round;
            pollUntilTheHandlerYields();
            node.send(NODE, new Item(round));
            Deadline.after(Cluster.PATIENCE).await("the message", () -> {
                int ignored = engine.poller().help();
                return received.get() == expected;
            });
        }
    }

    @Test
    void theHandlerTakesOverFromALeaderWhoseFollowersStillWait() {
        pollUntilTheHandlerYields();
        assertThat(engine.waiters().lead()).isTrue();
        engine.waiters().follow();
        assertThat(engine.waiters().needHandlers()).isFalse();
        engine.waiters().stepDown();
        Deadline.after(Cluster.PATIENCE)
                .await("a handler that polls", () -> engine.waiters().yielding() == 0);
        assertThat(engine.waiters().lead()).isFalse();
        engine.waiters().leave();
    }

    @Test
    void aFollowerWithoutALeaderCallsTheHandler() {
        pollUntilTheHandlerYields();
        engine.waiters().follow();
        Deadline.after(Cluster.PATIENCE)
                .await("a handler that polls", () -> engine.waiters().yielding() == 0);
        engine.waiters().leave();
        assertThat(engine.waiters().lead()).isTrue();
        engine.waiters().stepDown();
    }

    @Test
    void manyThreadsAskANodeThatAsksItself() throws InterruptedException {
        AtomicInteger answers = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(thread -> Thread.ofPlatform().start(() -> {
                    for (int each = 0; each < 500; each++) {
                        Item item = new Item(thread * 500 + each);
                        if (node.request(NODE, item, Item.class, Cluster.PATIENCE)
                                .equals(item)) {
                            answers.incrementAndGet();
                        }
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(answers).hasValue(2000);
        assertThat(engine.waiters().needHandlers()).isFalse();
    }
}
