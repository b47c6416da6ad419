package org.galerna.messaging;

import java.util.List;
import java.util.Map;

/**
 * A node as JMX shows it, by the name {@code org.galerna:type=Node,id=…}, if it was built with {@link NodeBuilder#jmx}. The
 * figures are those of {@link NodeStatistics} and {@link NodeHealth}.
 */
public interface NodeMxBean {
    /**
     * Another node.
     *
     * @param failed requests to it that have failed, by the reason
     * @param waitedMillis how long sends have waited for room, all together
     * @param latency50Micros time within which half of the answered requests were answered
     * @param latency99Micros the same of 99 in a hundred
     * @param latency999Micros the same of 999 in a thousand
     */
    record Peer(
            int node,
            String link,
            long sent,
            long sentBytes,
            long handled,
            long handledBytes,
            long underWay,
            long blockedSends,
            long waitedMillis,
            long answered,
            Map<String, Long> failed,
            long latency50Micros,
            long latency99Micros,
            long latency999Micros) {}

    /**
     * A type.
     *
     * @param handling50Micros time within which half of the messages were received
     * @param handling99Micros the same of 99 in a hundred
     */
    record Type(
            int type,
            String name,
            long sent,
            long sentBytes,
            long received,
            long receivedBytes,
            long failures,
            long handling50Micros,
            long handling99Micros) {}

    /** Number of the node. */
    int getId();

    /** Where it listens. */
    String getAddress();

    /** Whether it is closed, or being closed. */
    boolean isClosed();

    /** Messages, requests and responses sent. */
    long getSent();

    /** Messages and requests handed to receivers. */
    long getReceived();

    /** Requests without a response at the moment. */
    int getPendingRequests();

    /** Connections at the moment. */
    int getConnections();

    /** Responses that nobody waited for any more. */
    long getLateResponses();

    /** Requests that were dropped, because their time was over before a receiver could get them. */
    long getExpiredRequests();

    /** Times that a receiver has thrown, or a message could not be read. */
    long getReceiverFailures();

    /** Sends that had to wait for room. */
    long getBlockedSends();

    /** Callers that were none of the cluster. */
    long getRefusedCallers();

    /** Handlers that run receivers at the moment. */
    int getBusyHandlers();

    /** For how long one of them has not been done with what it has taken. */
    long getLongestBusyMillis();

    /** Of each node that there was something to do with. */
    List<Peer> getPeers();

    /** Of each type. */
    List<Type> getTypes();
}
