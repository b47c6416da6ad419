package org.galerna.examples.kvstore;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.NodeBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A store of rows in the memory of several processes. Each key belongs to one node, which all of them find by its hash; a
 * node that is asked for a key of another one asks that one. Any number of threads.
 */
public final class KeyValueStore implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int SPREADING = 0x9e3779b9;

    /** What is stored. */
    public record Row(List<String> columns) {}

    // What nodes say to each other. Messages are records; what they need to travel is derived from their components.

    record Get(String key) {}

    record Found(@Nullable Row row) {}

    record Put(String key, Row row) {}

    record Stored(boolean replaced) {}

    record Count() {}

    record Counted(int rows) {}

    // Every type has a number by which the nodes name it to each other, and a version, which a new field at the end
    // raises.
    private static final MessageType<Get> GET = MessageType.record(1, 0, Get.class);
    private static final MessageType<Found> FOUND = MessageType.record(2, 0, Found.class);
    private static final MessageType<Put> PUT = MessageType.record(3, 0, Put.class);
    private static final MessageType<Stored> STORED = MessageType.record(4, 0, Stored.class);
    private static final MessageType<Count> COUNT = MessageType.record(5, 0, Count.class);
    private static final MessageType<Counted> COUNTED = MessageType.record(6, 0, Counted.class);

    private final Map<String, Row> rows = new ConcurrentHashMap<>();
    private final int nodes;
    private final MessagingNode node;

    /**
     * A node of the store, from now on ready for the others.
     *
     * @param id which of the nodes this is, from 0
     * @param addresses where the nodes listen, in the order of their numbers
     * @param secret of at least 16 characters, that only the nodes know
     */
    public KeyValueStore(int id, List<InetSocketAddress> addresses, String secret) {
        nodes = addresses.size();
        NodeBuilder builder = MessagingNode.builder(id)
                .key(secret)
                // by any free thread: rows of different keys have nothing to do with each other
                .receive(GET, Handling.CONCURRENT, (get, from) -> from.respond(new Found(rows.get(get.key()))))
                .receive(PUT, Handling.CONCURRENT, (put, from) -> from.respond(store(put)))
                .receive(COUNT, Handling.CONCURRENT, (_, from) -> from.respond(new Counted(rows.size())))
                .type(FOUND)
                .type(STORED)
                .type(COUNTED);
        for (int each = 0; each < nodes; each++) {
            builder.address(each, addresses.get(each));
        }
        node = builder.start();
    }

    private Stored store(Put put) {
        return new Stored(rows.put(put.key(), put.row()) != null);
    }

    /** The node that has a key. */
    public int owner(String key) {
        // the upper bits of the product depend on all bits of the hash
        return Math.floorMod((key.hashCode() * SPREADING) >>> 16, nodes);
    }

    /**
     * The row of a key, if there is one.
     *
     * @throws MessagingException if its node does not answer
     */
    public Optional<Row> get(String key) {
        int owner = owner(key);
        return Optional.ofNullable(
                owner == node.id()
                        ? rows.get(key)
                        : node.request(owner, new Get(key), Found.class, PATIENCE)
                                .row());
    }

    /**
     * Stores a row, over one that is there.
     *
     * @return whether one was there
     * @throws MessagingException if its node does not answer; the row may have been stored nevertheless
     */
    public boolean put(String key, Row row) {
        int owner = owner(key);
        Put put = new Put(key, row);
        Stored stored = owner == node.id() ? store(put) : node.request(owner, put, Stored.class, PATIENCE);
        return stored.replaced();
    }

    /** Number of rows that a node has. */
    public int size(int of) {
        return node.request(of, new Count(), Counted.class, PATIENCE).rows();
    }

    /** Leaves; what this node has stored is gone. */
    @Override
    public void close() {
        node.close();
    }
}
