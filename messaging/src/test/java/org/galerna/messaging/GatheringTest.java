package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Short messages that follow each other fast lie together until they are sent. A node that sends to itself. */
class GatheringTest {
    private static final int NODE = 1;

    record Item(long value) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    private final AtomicLong received = new AtomicLong();
    private Engine engine;
    private Peers peers;
    private Outbound outbound;
    private long sent;

    @BeforeEach
    void start() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Registration<Item> registration =
                new Registration<>(ITEM, Handling.ORDERED, (_, _) -> received.incrementAndGet());
        engine = new Engine(config, List.of(ITEM), List.of(registration), new ConnectionListener() {});
        peers = new Peers(engine);
        engine.start(peers);
        outbound = peers.get(NODE).outbound();
    }

    @AfterEach
    void stop() {
        new Closing(engine, peers).close();
    }

    private void send() {
        int result = outbound.send(
                SendScratch.ofThread(), ITEM, Frames.MESSAGE, 0, new Item(sent++), Outbound.USUAL_DEADLINE, true);
        assertThat(result).isEqualTo(Outbound.SENT);
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
            SendScratch.ofThread().flush(engine);
            assertThat(outbound.gathered()).isZero();
        }
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
    }

    @Test
    void whatNobodyAddsToIsSentAndItsThreadIsNotFastAnyMore() {
        sendUntilSomethingIsGathered();
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
        assertThat(outbound.gathered()).isZero();
        assertThat(SendScratch.ofThread().streak(outbound).gathers).isTrue();
        send();
        assertThat(SendScratch.ofThread().streak(outbound).gathers).isFalse();
        assertThat(outbound.gathered()).isZero();
    }

    @Test
    void whilePausedNothingIsGathered() {
        sendUntilSomethingIsGathered();
        outbound.pause();
        Deadline.after(Cluster.PATIENCE).await("the end of what was gathered", outbound::isQuiet);
        assertThat(outbound.send(SendScratch.ofThread(), ITEM, Frames.MESSAGE, 0, new Item(-1), 0, false))
                .isEqualTo(Outbound.CLOSED);
        Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == sent);
        assertThat(outbound.gathered()).isZero();
        outbound.resume();
        sendUntilSomethingIsGathered();
        Deadline.after(Cluster.PATIENCE).await("what was sent afterwards", () -> received.get() == sent);
    }
}
