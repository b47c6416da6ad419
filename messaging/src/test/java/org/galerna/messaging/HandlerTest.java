package org.galerna.messaging;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.dispatch.Deliverer;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** What a handler does with what has come. */
class HandlerTest {
    private static final int NODE = 1;

    /** The polling thread uses what was given back at once, and for something else. */
    @Test
    void aWorkItemThatIsUsedAgainAtOnceDoesNotHoldUpTheNextOne() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Node inside = new Node(config, List.of(), List.of(), new ConnectionListener() {});
        inside.startThreads();
        AtomicInteger opened = new AtomicInteger();
        try (MessagingNode node = new MessagingNode(config, inside)) {
            Connection connection = inside.peers().get(node.id());
            for (int number = 0; number < 3; number++) {
                WorkItem item = new WorkItem() {
                    @Override
                    public void open(Deliverer deliverer) {
                        opened.incrementAndGet();
                    }

                    @Override
                    public int messages() {
                        return 1;
                    }

                    @Override
                    public void discard() {
                        address(connection, false);
                    }
                };
                item.address(connection, true);
                inside.parts().dispatcher().add(item);
            }
            Deadline.after(Cluster.PATIENCE).await("all items", () -> opened.get() == 3);
        }
    }
}
