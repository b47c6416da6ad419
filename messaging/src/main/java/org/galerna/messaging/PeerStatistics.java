package org.galerna.messaging;

import java.time.Duration;
import java.util.Map;

/**
 * What a node has done with another one since it started.
 *
 * @param node number of the other one
 * @param link name of the network of the connection; empty if there is none
 * @param sent messages, requests and responses sent to it
 * @param sentBytes bytes of the window that they took, headers and padding among them
 * @param handled messages, requests and responses of it whose receivers have returned
 * @param handledBytes bytes of the window that those took
 * @param underWay bytes on the way to it, or waiting there
 * @param blockedSends sends that had to wait for room
 * @param waited how long sends have waited for room, all together
 * @param answered requests to it that were answered
 * @param failed requests to it that have failed, by the reason; cancelled ones are not counted
 * @param latency how long answered requests took
 */
public record PeerStatistics(
        int node,
        String link,
        long sent,
        long sentBytes,
        long handled,
        long handledBytes,
        long underWay,
        long blockedSends,
        Duration waited,
        long answered,
        Map<MessagingException.Reason, Long> failed,
        LatencyHistogram latency) {}
