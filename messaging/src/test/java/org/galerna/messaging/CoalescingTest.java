package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.outbound.Outbound;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.wire.Frames;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Short messages that follow each other fast lie together until they are sent. A node that sends to itself. */
class CoalescingTest {
    private static final int NODE = 1;

    record Item(long value) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    private final AtomicLong received = new AtomicLong();
    private Node inside;
    private Outbound outbound;
    private long sent;

    @BeforeEach
    void start() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Registration<Item> registration =
                new Registration<>(ITEM.wire(), Handling.ORDERED, (_, _) -> received.incrementAndGet());
        inside = new Node(config, List.of(ITEM.wire()), List.of(registration), new ConnectionListener() {});
        inside.startThreads();
        outbound = inside.peers().get(NODE).outbound();
    }

    @AfterEach
    void stop() {
        inside.close();
    }

    private void send() {
        int result = outbound.send(
                SendScratch.ofThread(),
                ITEM.wire(),
                Frames.MESSAGE,
                0,
                new Item(sent++),
                Outbound.USUAL_DEADLINE,
                true);
        assertThat(result).isEqualTo(SendResult.SENT);
    }

    private void sendUntilSomethingIsGathered() {
        Deadline.after(Cluster.PATIENCE).await("gathered messages", () -> {
            for (int each = 0; each < 1000; each++) {
                send();
                if (outbound.gathered() > 0) {
                    return true;
                }
            }
            return false;
        });
    }

    @Test
    void flushSendsWhatIsGathered() {
        for (int round = 0; round < 100; round++) {
            sendUntilSomethingIsGathered();
            SendScratch.ofThread().flush(inside.parts().send());
            assertThat(outbound.gathered()).isZero();
        }
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
    }

    @Test
    void whatNobodyAddsToIsSentAndItsThreadIsNotFastAnyMore() {
        sendUntilSomethingIsGathered();
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
        assertThat(outbound.gathered()).isZero();
        assertThat(SendScratch.ofThread().gate(outbound).isOpen()).isTrue();
        send();
        assertThat(SendScratch.ofThread().gate(outbound).isOpen()).isFalse();
        assertThat(outbound.gathered()).isZero();
    }

    @Test
    void whilePausedNothingIsGathered() {
        sendUntilSomethingIsGathered();
        outbound.pause();
        Deadline.after(Cluster.PATIENCE).await("the end of what was gathered", outbound::isQuiet);
        assertThat(outbound.send(SendScratch.ofThread(), ITEM.wire(), Frames.MESSAGE, 0, new Item(-1), 0, false))
                .isEqualTo(SendResult.CLOSED);
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
        assertThat(outbound.gathered()).isZero();
        outbound.resume();
        sendUntilSomethingIsGathered();
        Deadline.after(Cluster.PATIENCE).await("what was sent afterwards", () -> received.get() == sent);
    }
}
