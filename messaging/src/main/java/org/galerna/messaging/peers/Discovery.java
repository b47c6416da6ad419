package org.galerna.messaging.peers;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.handshake.Directory;
import org.galerna.messaging.handshake.Greeting;
import org.galerna.messaging.handshake.SecureCall;
import org.galerna.messaging.handshake.Verdict;
import org.galerna.messaging.support.NodeLog;

/**
 * Finds the nodes of the cluster: every few seconds, and at once when a node is wanted that is not found, it calls each
 * seed and one of the nodes that it knows, and both tell each other what they know. So a node is known to those that ask the
 * same seeds as soon as it has called them itself, a restarted seed learns everything again, and a cluster whose seeds are
 * gone goes on.
 *
 * <p>The work is that of one virtual thread, which has nothing to do with messages.
 */
final class Discovery implements AutoCloseable {

    private static final long PERIOD_NANOS = 5_000_000_000L;
    private static final long SHORTEST_NANOS = 100_000_000;
    private static final long CALL_NANOS = 2_000_000_000;

    private final NodeConfig config;
    private final ClusterKeys keys;
    private final long incarnation;
    private final Directory directory;
    private final Thread thread;
    private volatile boolean wanted;
    private volatile boolean closed;

    Discovery(NodeConfig config, ClusterKeys keys, long incarnation, Directory directory) {
        this.config = config;
        this.keys = keys;
        this.incarnation = incarnation;
        this.directory = directory;
        this.thread = Thread.ofVirtual()
                .name("galerna-messaging-" + config.id() + "-discovery")
                .unstarted(this::run);
    }

    /** Whether nodes are found that nobody has named. */
    boolean isOn() {
        return !config.seeds().isEmpty();
    }

    void start() {
        if (isOn()) {
            thread.start();
        }
    }

    /** A node is not where it was, or nobody has said where it is. Any thread; does not wait. */
    void hurry() {
        if (isOn() && !wanted) {
            wanted = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            wanted = false;
            for (InetSocketAddress each : somebody()) {
                if (!closed) {
                    call(each);
                }
            }
            LockSupport.parkNanos(this, SHORTEST_NANOS);
            long end = System.nanoTime() + PERIOD_NANOS - SHORTEST_NANOS;
            for (long left = 1; left > 0 && !wanted && !closed; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, Math.max(1, end - System.nanoTime()));
            }
        }
    }

    private List<InetSocketAddress> somebody() {
        List<InetSocketAddress> called = new ArrayList<>(config.seeds());
        Set<Integer> known = directory.nodes();
        known.remove(config.id());
        known.stream()
                .skip(ThreadLocalRandom.current().nextInt(Math.max(1, known.size())))
                .findFirst()
                .ifPresent(node -> {
                    InetSocketAddress address = directory.address(node);
                    if (address != null && !called.contains(address)) {
                        called.add(address);
                    }
                });
        return called;
    }

    private void call(InetSocketAddress address) {
        Greeting greeting = Greeting.ofDiscovery(config.id(), incarnation);
        try {
            SecureCall.Answered answered = SecureCall.dial(
                    Directory.resolved(address), keys.current(), greeting, System.nanoTime() + CALL_NANOS);
            try (SecureCall call = answered.call()) {
                if (answered.verdict() == Verdict.ACCEPTED) {
                    directory.exchange(call);
                } else if (answered.verdict() == Verdict.SUPERSEDED) {
                    NodeLog.LOGGER.log(
                            Level.WARNING,
                            "node {0}: {1} knows a node of this number that was started after this one",
                            String.valueOf(config.id()),
                            address);
                }
            }
        } catch (IOException | RuntimeException failed) { // the next call may do better
            NodeLog.LOGGER.log(
                    Level.DEBUG,
                    "node {0}: nothing is heard from {1}: {2}",
                    String.valueOf(config.id()),
                    address,
                    failed.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
