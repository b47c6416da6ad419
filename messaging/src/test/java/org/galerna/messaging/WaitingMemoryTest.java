package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What messages that wait for a handler take. */
class WaitingMemoryTest {
    private static final int SENDERS = 4;
    private static final int ROUNDS = 2000;
    private static final long MOST_BYTES = 64L << 20; // four windows of 1 MiB are on the way, and the pool keeps 16 MiB

    record Item(int number) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "tcp"})
    @Tag("slow")
    void smallMessagesOfSeveralNodesTakeLittleOverOtherLinks(String link) throws IOException {
        smallMessagesOfSeveralNodesTakeLittleWhileTheyWait(link);
    }

    /** Each of them comes alone, so that none joins the one before: that is of another node. */
    @ParameterizedTest
    @ValueSource(strings = {"shm"})
    void smallMessagesOfSeveralNodesTakeLittleWhileTheyWait(String link) throws IOException {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        Registration<Item> registration = new Registration<>(ITEM.wire(), Handling.CONCURRENT, (_, _) -> {
            first.countDown();
            release.await();
            received.incrementAndGet();
        });
        try (Cluster cluster = new Cluster(link)) {
            NodeConfig config = cluster.builder(0).handlers(1).config();
            Node inside = new Node(config, List.of(ITEM.wire()), List.of(registration), new ConnectionListener() {});
            inside.start();
            try (MessagingNode node = new MessagingNode(config, inside)) {
                List<MessagingNode> senders = new ArrayList<>();
                for (int id = 1; id <= SENDERS; id++) {
                    MessagingNode sender = cluster.start(id, builder -> builder.type(ITEM));
                    sender.addAddress(node.id(), node.address());
                    senders.add(sender);
                }
                long before = usedAfterCollection();
                for (int number = 0; number < ROUNDS * SENDERS; number++) {
                    MessagingNode sender = senders.get(number % SENDERS);
                    long waiting = inside.parts().dispatcher().messages();
                    sender.send(node.id(), new Item(number));
                    sender.flush();
                    if (number == 0) { // a handler has it, so it does not wait
                        await(inside, "the first message", () -> first.getCount() == 0);
                    } else {
                        await(
                                inside,
                                "the next message",
                                () -> inside.parts().dispatcher().messages() > waiting);
                    }
                }
                long taken = usedAfterCollection() - before;
                assertThat(taken).as("bytes that the messages take").isLessThan(MOST_BYTES);
                release.countDown();
                Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == ROUNDS * SENDERS);
            } finally {
                release.countDown();
            }
        }
    }

    private static void await(Node inside, String awaited, BooleanSupplier come) {
        Deadline.after(Cluster.PATIENCE).await(awaited, () -> {
            int ignored = inside.parts().poller().help();
            return come.getAsBoolean();
        });
    }

    private static long usedAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
