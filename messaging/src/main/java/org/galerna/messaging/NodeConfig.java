package org.galerna.messaging;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a node is to be; made by {@link MessagingNode#builder}.
 *
 * @param id number of the node, 0 to 65534
 * @param addresses where each node of the cluster listens; more can be added later
 * @param seeds where some nodes listen that know others; empty to know only what is said with {@code addresses}
 * @param advertised where others are told that this node listens; null for where it does
 * @param key secret that only the nodes of the cluster know, at least 16 bytes
 * @param links names of the links that may be used, the fastest first
 * @param handlers threads that run receivers
 * @param window bytes that may be on the way to a node, or waiting there to be processed
 * @param maximumMessage bytes that a message may have
 * @param requests with futures that may be under way to a node
 * @param backlog bytes of requests to a node that may wait to be sent
 * @param lateAnswers requests of a node that may wait for answers after their receivers have returned
 * @param connections kept open at once, at most; beyond it the least recently used one is dismissed
 * @param slots frames in the ring of a connection, a power of two; 0 lets the link choose
 * @param frameBytes space for longer frames in the ring of a connection, a power of two; 0 lets the link choose
 * @param connectTimeout how long to try to reach a node
 * @param sendTimeout how long a send may wait for its receiver to make room
 * @param closeTimeout how long closing may wait for what was sent to be processed
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out, and compared by nobody
public record NodeConfig(
        int id,
        Map<Integer, InetSocketAddress> addresses,
        List<InetSocketAddress> seeds,
        @Nullable InetSocketAddress advertised,
        byte[] key,
        List<String> links,
        int handlers,
        int window,
        long maximumMessage,
        int requests,
        long backlog,
        int lateAnswers,
        int connections,
        int slots,
        int frameBytes,
        Duration connectTimeout,
        Duration sendTimeout,
        Duration closeTimeout) {
    /** Greatest number of a node. */
    public static final int MAXIMUM_ID = 65_534;

    private static final int SHORTEST_KEY = 16;
    private static final int LEAST_WINDOW = 64 * 1024;

    /** Checks everything. */
    public NodeConfig {
        check(id >= 0 && id <= MAXIMUM_ID, "a node's number is 0 to " + MAXIMUM_ID + ", not " + id);
        check(addresses.containsKey(id), "node " + id + " needs an address of its own, where it listens");
        check(key.length > 0, "node " + id + " needs the key of its cluster: give it with key or keys");
        check(key.length >= SHORTEST_KEY, "the cluster's key needs at least " + SHORTEST_KEY + " bytes");
        check(!links.isEmpty(), "at least one link has to be named");
        check(handlers >= 1 && handlers <= 1024, "1 to 1024 handlers, not " + handlers);
        check(
                window >= LEAST_WINDOW && window <= 1 << 30,
                "a window has " + LEAST_WINDOW + " bytes to 1 GiB, not " + window);
        check(connections >= 1, "at least one connection is needed, not " + connections);
        check(requests >= 1, "at least one request has to be possible, not " + requests);
        check(backlog >= 1, "at least one byte has to be possible, not " + backlog);
        check(lateAnswers >= 1, "at least one late answer has to be possible, not " + lateAnswers);
        check(maximumMessage >= 1, "the longest message has to have a length");
        check(
                seeds.isEmpty() || advertised != null || !isAnywhere(addresses.get(id)),
                "node " + id + " listens at all addresses of its host: say which one others are to use (advertise)");
        check(
                advertised == null || !isAnywhere(advertised),
                "nobody can call " + advertised + ": a node is advertised at one address of its host");
        addresses = Map.copyOf(addresses);
        seeds = List.copyOf(seeds);
        key = key.clone();
        links = List.copyOf(links);
    }

    private static boolean isAnywhere(@Nullable InetSocketAddress address) {
        return address != null
                && !address.isUnresolved()
                && address.getAddress().isAnyLocalAddress();
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public byte[] key() {
        return key.clone();
    }

    /** Everything but the key. */
    @Override
    public String toString() {
        return "node " + id + " at " + addresses.get(id) + ", links " + links;
    }
}
