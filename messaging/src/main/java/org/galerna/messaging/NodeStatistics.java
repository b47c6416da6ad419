package org.galerna.messaging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node has done since it started.
 *
 * @param sent messages, requests and responses sent
 * @param received messages and requests handed to receivers
 * @param responses responses that have completed a request
 * @param lateResponses responses that nobody waited for any more
 * @param receiverFailures times that a receiver has thrown, or a message could not be read
 * @param blockedSends sends that had to wait for the receiver, each counted once
 * @param connections connections at the moment
 * @param pendingRequests requests without a response at the moment
 * @param refusedCallers callers that were none of the cluster
 * @param expiredRequests requests that were dropped, because their time was over before a receiver could get them
 * @param fallbacks connections whose link is a slower one because that of their choice did not work; the log says why
 * @param peers of each node that there was something to do with, by their numbers
 * @param types of each type that is received or was sent, by their numbers
 */
public record NodeStatistics(
        long sent,
        long received,
        long responses,
        long lateResponses,
        long receiverFailures,
        long blockedSends,
        int connections,
        int pendingRequests,
        long refusedCallers,
        long expiredRequests,
        long fallbacks,
        List<PeerStatistics> peers,
        List<TypeStatistics> types) {
    /** Of one node; null if there was nothing to do with it. */
    public @Nullable PeerStatistics peer(int node) {
        return peers.stream().filter(each -> each.node() == node).findFirst().orElse(null);
    }
}
