package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
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
    private Node inside;
    private MessagingNode node;

    @BeforeEach
    void start() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Registration<Item> registration = new Registration<>(ITEM.wire(), Handling.ORDERED, (item, from) -> {
            received.incrementAndGet();
            if (from.isRequest()) {
                from.respond(item);
            }
        });
        inside = new Node(
                config,
                List.of(ITEM.wire()),
                List.of(registration),
                new ConnectionListener() {},
                0,
                TimeUnit.HOURS.toNanos(1));
        inside.startThreads();
        node = new MessagingNode(config, inside);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void pollUntilTheHandlerYields() {
        Deadline.after(Cluster.PATIENCE).await("a handler that leaves the polling to this thread", () -> {
            int ignored = inside.parts().poller().help();
            return inside.parts().waiters().yielding() == 1;
        });
    }

    @Test
    void whatAThreadOfTheApplicationFindsIsHandledAtOnce() {
        for (int round = 1; round <= 20; round++) {
            int expected = round;
            pollUntilTheHandlerYields();
            node.send(NODE, new Item(round));
            Deadline.after(Cluster.PATIENCE).await("the message", () -> {
                int ignored = inside.parts().poller().help();
                return received.get() == expected;
            });
        }
    }

    @Test
    void theHandlerTakesOverFromALeaderWhoseFollowersStillWait() {
        pollUntilTheHandlerYields();
        assertThat(inside.parts().waiters().lead()).isTrue();
        inside.parts().waiters().follow();
        assertThat(inside.parts().waiters().needHandlers()).isFalse();
        inside.parts().waiters().stepDown();
        Deadline.after(Cluster.PATIENCE)
                .await("a handler that polls", () -> inside.parts().waiters().yielding() == 0);
        assertThat(inside.parts().waiters().lead()).isFalse();
        inside.parts().waiters().leave();
    }

    @Test
    void aFollowerWithoutALeaderCallsTheHandler() {
        pollUntilTheHandlerYields();
        inside.parts().waiters().follow();
        Deadline.after(Cluster.PATIENCE)
                .await("a handler that polls", () -> inside.parts().waiters().yielding() == 0);
        inside.parts().waiters().leave();
        assertThat(inside.parts().waiters().lead()).isTrue();
        inside.parts().waiters().stepDown();
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
        assertThat(inside.parts().waiters().needHandlers()).isFalse();
    }
}
