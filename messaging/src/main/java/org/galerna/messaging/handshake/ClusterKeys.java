package org.galerna.messaging.handshake;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import org.galerna.messaging.KeySource;
import org.galerna.messaging.support.NodeLog;
import org.galerna.messaging.support.ThrownText;

/** The keys of the cluster that are valid now. Any thread. */
public final class ClusterKeys {
    private static final int SHORTEST = 16;

    /** Between two lines of keys that cannot be read for one reason after the other: anybody can make this node look. */
    private static final long LOG_NANOS = 1_000_000_000;

    private final int node;
    private final KeySource source;
    private List<byte[]> known; // guarded by this
    private String obstacle = ""; // as logged last, if it lasts; guarded by this
    private long logged; // guarded by this

    private ClusterKeys(int node, KeySource source, List<byte[]> known) {
        this.node = node;
        this.source = source;
        this.known = known;
    }

    /** One key that never changes. */
    public static ClusterKeys of(int node, byte[] key) {
        List<byte[]> one = List.of(key);
        return new ClusterKeys(node, () -> one, one);
    }

    /**
     * Those of a source.
     *
     * @throws IllegalArgumentException if it has none now
     */
    public static ClusterKeys of(int node, KeySource source) {
        try {
            return new ClusterKeys(node, source, read(source));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the keys of the cluster cannot be read: " + why(unreadable), unreadable);
        }
    }

    private static List<byte[]> read(KeySource source) throws IOException {
        List<byte[]> given = source.keys();
        if (given == null || given.isEmpty()) {
            throw new IllegalArgumentException("the source of the cluster's keys has no key");
        }
        if (given.stream().anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("the source of the cluster's keys has a key that is null");
        }
        List<byte[]> keys = given.stream().map(byte[]::clone).toList();
        if (keys.stream().anyMatch(each -> each.length < SHORTEST)) {
            throw new IllegalArgumentException("the cluster's keys need at least " + SHORTEST + " bytes");
        }
        return keys;
    }

    private static String why(Throwable unreadable) {
        String message = unreadable.getClass() == IOException.class ? unreadable.getMessage() : null; // says all itself
        return message != null ? message : ThrownText.describe(unreadable);
    }

    /** Those that are valid now, the first one first. */
    public synchronized List<byte[]> current() {
        try {
            known = read(source);
            obstacle = "";
        } catch (Throwable unreadable) { // the source is the program's
            String why = why(unreadable);
            long now = System.nanoTime();
            if (obstacle.isEmpty() || (!why.equals(obstacle) && now - logged >= LOG_NANOS)) {
                obstacle = why;
                logged = now;
                NodeLog.LOGGER.log(
                        Level.WARNING,
                        "node {0}: the keys of the cluster cannot be read, and stay as they were: {1}",
                        String.valueOf(node),
                        why);
            }
        }
        return known;
    }
}
