package org.galerna.messaging;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;

/** Some nodes in this JVM that know each other's addresses. */
final class Cluster implements AutoCloseable {
    static final String KEY = "the key of the test's cluster";
    static final Duration PATIENCE = RankThreads.LIMIT;

    private final List<MessagingNode> nodes = new ArrayList<>();
    private final String link;

    Cluster(String link) {
        this.link = link;
    }

    static Deadline patience() {
        return Deadline.after(PATIENCE);
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** What a node without others is made of, for tests of its parts. */
    static NodeConfig alone(int id, int handlers) {
        return new NodeConfig(
                id,
                Map.of(id, anyPort()),
                List.of(),
                null,
                new byte[16],
                List.of("threads"),
                handlers,
                1 << 20,
                1 << 20,
                1000,
                1 << 20,
                1000,
                100,
                1024,
                256 * 1024,
                PATIENCE,
                PATIENCE,
                Duration.ofMillis(10));
    }

    NodeBuilder builder(int id) {
        return MessagingNode.builder(id)
                .address(id, anyPort())
                .key(KEY)
                .links(link)
                .connectTimeout(PATIENCE)
                .sendTimeout(PATIENCE);
    }

    MessagingNode start(NodeBuilder builder) {
        MessagingNode node = builder.start();
        for (MessagingNode each : nodes) {
            each.addAddress(node.id(), node.address());
            node.addAddress(each.id(), each.address());
        }
        nodes.add(node);
        return node;
    }

    MessagingNode start(int id, UnaryOperator<NodeBuilder> more) {
        return start(more.apply(builder(id)));
    }

    void remove(MessagingNode node) {
        nodes.remove(node);
        node.close();
    }

    @Override
    public void close() {
        nodes.forEach(MessagingNode::close);
    }
}
