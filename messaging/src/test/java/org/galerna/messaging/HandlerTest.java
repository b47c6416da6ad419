package org.galerna.messaging;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** What a handler does with a parcel. */
class HandlerTest {
    private static final int NODE = 1;

    /** The polling thread uses what was given back at once, and for something else. */
    @Test
    void aParcelThatIsUsedAgainAtOnceDoesNotHoldUpTheNextOne() throws IOException {
        NodeConfig config = Cluster.alone(NODE, 1);
        Engine engine = new Engine(config, List.of(), List.of(), new ConnectionListener() {});
        Peers peers = new Peers(engine);
        engine.start(peers);
        AtomicInteger opened = new AtomicInteger();
        try (MessagingNode node = new MessagingNode(config, engine, peers)) {
            Connection connection = peers.get(node.id());
            for (int number = 0; number < 3; number++) {
                Parcel parcel = new Parcel() {
                    @Override
                    void open(Handler handler) {
                        opened.incrementAndGet();
                    }

                    @Override
                    int messages() {
                        return 1;
                    }

                    @Override
                    void discard() {
                        address(connection, false);
                    }
                };
                parcel.address(connection, true);
                engine.dispatcher().add(parcel);
            }
            Deadline.after(Cluster.PATIENCE).await("all parcels", () -> opened.get() == 3);
        }
    }
}
