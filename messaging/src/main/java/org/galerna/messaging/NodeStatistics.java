package org.galerna.messaging;

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
        long fallbacks) {}
