package org.galerna.messaging.counters;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a node counts. Any thread. */
public final class NodeCounters {
    private final LongAdder responses = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder receiverFailures = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final SentCounts sent = new SentCounts();
    private final LongAdder sentBefore = new LongAdder();
    private final LongAdder blockedBefore = new LongAdder();

    private final Map<Integer, PeerCounters> peers = new ConcurrentHashMap<>();

    /** Nothing was counted yet. */
    public NodeCounters() {}

    /** What was sent of each type. */
    public SentCounts sent() {
        return sent;
    }

    /** What is counted of another node. */
    public PeerCounters peer(int node) {
        PeerCounters known = peers.get(node);
        return known != null ? known : peers.computeIfAbsent(node, _ -> new PeerCounters());
    }

    /** Nodes of which something was counted. */
    public Set<Integer> peers() {
        return new TreeSet<>(peers.keySet());
    }

    /** A response has ended a request. */
    public void countResponse() {
        responses.increment();
    }

    /** A response has come for which nobody waits any more. */
    public void countLate() {
        late.increment();
    }

    /** A request was dropped, because nobody waits for its answer any more. */
    public void countExpired() {
        expired.increment();
    }

    /** A receiver has thrown, or a message could not be read. */
    public void countReceiverFailure() {
        receiverFailures.increment();
    }

    /** A connection has another link than was chosen, which did not work. */
    public void countFallback() {
        fallbacks.increment();
    }

    /** A connection has ended, over which so many messages were sent, and so many sends had to wait. */
    public void addConnection(long sent, long blocked) {
        sentBefore.add(sent);
        blockedBefore.add(blocked);
    }

    /** Responses that have ended requests. */
    public long responses() {
        return responses.sum();
    }

    /** Responses that have come too late. */
    public long late() {
        return late.sum();
    }

    /** Requests that were dropped. */
    public long expired() {
        return expired.sum();
    }

    /** Messages that were not received. */
    public long receiverFailures() {
        return receiverFailures.sum();
    }

    /** Connections by another link than the chosen one. */
    public long fallbacks() {
        return fallbacks.sum();
    }

    /** Messages sent over connections that have ended. */
    public long sentBefore() {
        return sentBefore.sum();
    }

    /** Sends over connections that have ended that had to wait. */
    public long blockedBefore() {
        return blockedBefore.sum();
    }
}
