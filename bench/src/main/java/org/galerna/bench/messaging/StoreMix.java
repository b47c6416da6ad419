package org.galerna.bench.messaging;

import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.NodeBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A node of a store of rows in the memory of all nodes, as in the example {@code kvstore}, and what its clients ask: the
 * mixes of operations that stores are compared by (Cooper et al., "Benchmarking cloud serving systems with YCSB", 2010).
 * Each key belongs to one node; what belongs to another one is asked for, and the client waits for the answer.
 */
final class StoreMix {
    private static final int ROWS = 10_000;
    private static final int SPREADING = 0x9e3779b9;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    record Get(String key) {}

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Found(byte @Nullable [] row) {}

    @SuppressWarnings("ArrayRecordComponent")
    record Put(String key, byte[] row) {}

    record Stored(boolean replaced) {}

    private static final MessageType<Get> GET = MessageType.record(11, 0, Get.class);
    private static final MessageType<Found> FOUND = MessageType.record(12, 0, Found.class);
    private static final MessageType<Put> PUT = MessageType.record(13, 0, Put.class);
    private static final MessageType<Stored> STORED = MessageType.record(14, 0, Stored.class);

    /** What clients do. */
    enum Workload {
        /** Half reads, half updates. */
        A(50, false, false),
        /** Mostly reads. */
        B(95, false, false),
        /** Reads alone. */
        C(100, false, false),
        /** Mostly reads of what was inserted last. */
        D(95, true, false),
        /** Half reads, half reads of rows that are then written. */
        F(50, false, true);

        private final int percentOfReads;
        private final boolean inserts;
        private final boolean readsBeforeWriting;

        Workload(int percentOfReads, boolean inserts, boolean readsBeforeWriting) {
            this.percentOfReads = percentOfReads;
            this.inserts = inserts;
            this.readsBeforeWriting = readsBeforeWriting;
        }
    }

    private final Map<String, byte[]> rows = new ConcurrentHashMap<>();
    private final Zipfian zipfian = new Zipfian(ROWS);
    private final AtomicInteger inserted = new AtomicInteger();
    private final int nodes;

    StoreMix(int nodes) {
        this.nodes = nodes;
    }

    void register(NodeBuilder builder) {
        builder.receive(GET, Handling.CONCURRENT, (get, from) -> from.respond(new Found(rows.get(get.key()))))
                .receive(
                        PUT,
                        Handling.CONCURRENT,
                        (put, from) -> from.respond(new Stored(rows.put(put.key(), put.row()) != null)))
                .type(FOUND)
                .type(STORED);
    }

    /** Fills the part of a node with rows of so many bytes, and forgets what others have inserted. */
    void load(int node, int bytes) {
        rows.clear();
        inserted.set(0);
        for (int row = 0; row < ROWS; row++) {
            String key = key(row);
            if (owner(key) == node) {
                rows.put(key, row(bytes, row));
            }
        }
    }

    private static byte[] row(int bytes, int seed) {
        byte[] row = new byte[bytes];
        new SplittableRandom(seed).nextBytes(row);
        return row;
    }

    /** Frequent rows do not lie side by side. */
    private static String key(int row) {
        return "user" + Integer.toUnsignedString(row * SPREADING);
    }

    int owner(String key) {
        return Math.floorMod((key.hashCode() * SPREADING) >>> 16, nodes);
    }

    /** Runs operations as one client of a node does; fails if a row is missing. */
    void run(MessagingNode node, Workload workload, int operations, int bytes, int client) {
        RandomGenerator random = new SplittableRandom(client);
        byte[] written = row(bytes, client);
        for (int each = 0; each < operations; each++) {
            boolean reads = random.nextInt(100) < workload.percentOfReads;
            if (workload.inserts && !reads) {
                put(node, key(ROWS + inserted.getAndIncrement() * nodes + node.id()), written);
                continue;
            }
            String key = key(workload.inserts ? latest(node, random) : zipfian.next(random));
            if (reads || workload.readsBeforeWriting) {
                byte[] row = get(node, key);
                if (row == null && !workload.inserts) { // another client may be just about to insert it
                    throw new IllegalStateException("node " + owner(key) + " has lost the row of " + key);
                }
            }
            if (!reads) {
                put(node, key, written);
            }
        }
    }

    /** One of the rows that this node has inserted last, or of those that were there before. */
    private int latest(MessagingNode node, RandomGenerator random) {
        int own = inserted.get();
        int back = zipfian.next(random);
        return back < own ? ROWS + (own - 1 - back) * nodes + node.id() : ROWS - 1 - (back - own);
    }

    private byte @Nullable [] get(MessagingNode node, String key) {
        int owner = owner(key);
        return owner == node.id()
                ? rows.get(key)
                : node.request(owner, new Get(key), Found.class, PATIENCE).row();
    }

    private void put(MessagingNode node, String key, byte[] row) {
        int owner = owner(key);
        if (owner == node.id()) {
            rows.put(key, row);
        } else {
            Stored unused = node.request(owner, new Put(key, row), Stored.class, PATIENCE);
        }
    }
}
