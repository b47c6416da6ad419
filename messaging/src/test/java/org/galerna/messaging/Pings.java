package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Nodes that answer a ping, and what they hear of their connections. */
final class Pings {
    private Pings() {}

    record Ping(long number) {}

    record Pong(long number) {}

    static final MessageType<Ping> PING = MessageType.record(1, 0, Ping.class);
    static final MessageType<Pong> PONG = MessageType.record(2, 0, Pong.class);

    /** What a node hears of its connections. */
    static final class Log implements ConnectionListener {
        final Queue<Integer> opened = new ConcurrentLinkedQueue<>();
        final Queue<String> ended = new ConcurrentLinkedQueue<>();
        final AtomicLong unconfirmed = new AtomicLong();

        @Override
        public void onConnected(int node, String link) {
            opened.add(node);
        }

        @Override
        public void onDisconnected(int node, String reason, long messages) {
            unconfirmed.addAndGet(messages);
            ended.add(node + ": " + reason);
        }
    }

    static NodeBuilder answering(NodeBuilder builder) {
        return builder.type(PONG).receive(PING, (message, from) -> {
            if (from.isRequest()) {
                from.respond(new Pong(message.number()));
            }
        });
    }

    static void ask(MessagingNode node, int other, long number) {
        assertThat(node.request(other, new Ping(number), Pong.class, Cluster.PATIENCE)
                        .number())
                .isEqualTo(number);
    }
}
