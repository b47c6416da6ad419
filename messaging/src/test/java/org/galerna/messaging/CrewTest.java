package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.dispatch.Deliverer;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.node.Crew;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** Threads of a node that die all the same. */
class CrewTest {
    private static final int NODE = 1;

    record Item(int number) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);

    private static Deadline patience() {
        return Deadline.after(Cluster.PATIENCE);
    }

    @Test
    void handlersThatDieAreReplacedAndReported() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 2);
        Registration<Item> registration =
                new Registration<>(ITEM.wire(), Handling.CONCURRENT, (item, from) -> from.respond(item));
        Node inside = new Node(config, List.of(ITEM.wire()), List.of(registration), new ConnectionListener() {});
        inside.startThreads();
        try (MessagingNode node = new MessagingNode(config, inside)) {
            for (int round = 1; round <= 10; round++) {
                Connection connection = inside.peers().get(NODE);
                inside.parts().dispatcher().add(deadly(connection));
                int deaths = round;
                patience().await("the death", () -> node.health().replacedThreads() == deaths);
                assertThat(node.health().lastDeath()).contains("handler").contains("deadly");
                patience().await("the end of the connection", connection::isLost);
                assertThat(node.request(NODE, new Item(round), Item.class, Cluster.PATIENCE))
                        .isEqualTo(new Item(round));
            }
            patience().await("all threads", () -> node.health().isComplete());
            assertThat(node.health().threads()).isEqualTo(3);
            patience().await("the end of the work", () -> node.health().busyHandlers() == 0);
        }
    }

    private static WorkItem deadly(Connection connection) {
        WorkItem parcel = new WorkItem() {
            @Override
            public void open(Deliverer deliverer) {
                throw new StackOverflowError("deadly");
            }

            @Override
            public int messages() {
                return 1;
            }

            @Override
            public void discard() {}
        };
        parcel.address(connection, false);
        return parcel;
    }

    /** Whoever is left finds it. */
    @Test
    void aThreadThatHasEndedWithoutAWordIsReplaced() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Node inside = new Node(config, List.of(), List.of(), new ConnectionListener() {});
        AtomicInteger runs = new AtomicInteger();
        Crew.Member ignored = inside.crew().add("short", runs::incrementAndGet);
        inside.startThreads();
        try (MessagingNode node = new MessagingNode(config, inside)) {
            patience().await("several runs", () -> runs.get() >= 3);
            assertThat(node.health().replacedThreads()).isGreaterThanOrEqualTo(2);
            assertThat(node.health().lastDeath()).contains("galerna-messaging-1-short");
        }
        int last = runs.get();
        assertThat(inside.crew().health(true).missingThreads()).isZero();
        assertThat(runs).hasValueBetween(last, last + 1);
    }
}
