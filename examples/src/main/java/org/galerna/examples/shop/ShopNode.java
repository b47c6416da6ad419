package org.galerna.examples.shop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SubmissionPublisher;
import org.galerna.messaging.KeySource;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.NodeBuilder;

/** A process with a warehouse, which publishes what is taken. */
final class ShopNode {
    /** Something was taken. */
    record Taken(String item, int left) {}

    static final MessageType<Taken> TAKEN = MessageType.record(1, 0, Taken.class);

    private ShopNode() {}

    /** What all nodes have in common. */
    static NodeBuilder builder(int id, Path keys, List<String> ports) {
        NodeBuilder builder =
                MessagingNode.builder(id).keys(KeySource.file(keys)).type(TAKEN).connectTimeout(Duration.ofSeconds(20));
        for (int node = 0; node < ports.size(); node++) {
            builder.address(
                    node,
                    "node" + node,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports.get(node))));
        }
        return builder;
    }

    /** The stock of one node. */
    private record Shelf(Map<String, Integer> items, SubmissionPublisher<Taken> taken) implements Warehouse {
        @Override
        public int take(String item, int count) throws SoldOut {
            int left = items.merge(item, -count, Integer::sum);
            if (left < 0) {
                items.merge(item, count, Integer::sum);
                throw new SoldOut(item);
            }
            int ignored = taken.submit(new Taken(item, left));
            return left;
        }

        @Override
        public Parcel echo(Parcel parcel) {
            return parcel;
        }

        @Override
        public CompletableFuture<Map<String, Integer>> stock() {
            return CompletableFuture.completedFuture(items);
        }
    }

    /** Serves until its input ends. The arguments: number of the node, file with the keys, ports of all nodes. */
    public static void main(String[] arguments) throws IOException {
        int id = Integer.parseInt(arguments[0]);
        List<String> ports = List.of(arguments).subList(2, arguments.length);
        Map<String, Integer> items = new ConcurrentHashMap<>(Map.of("tea", 1_000_000, "moon", 0));
        SubmissionPublisher<Taken> taken = new SubmissionPublisher<>();
        try (MessagingNode node = builder(id, Path.of(arguments[1]), ports)
                .serve(Warehouse.class, new Shelf(items, taken))
                .publish(TAKEN, taken)
                .start()) {
            System.out.println("node " + node.id() + " serves");
            int ignored = System.in.read();
            taken.close();
            node.close(Duration.ofSeconds(10));
        }
    }
}
