package org.galerna.messaging;

/**
 * What a node has sent and received of a type since it started.
 *
 * @param type number of the type
 * @param name of its class
 * @param sent messages, requests and responses sent
 * @param sentBytes bytes that they took, headers and padding among them
 * @param received messages and requests handed to its receiver
 * @param receivedBytes bytes that they took, headers and padding among them
 * @param failures times that its receiver has thrown, or a message could not be read
 * @param handling how long its receiver took, of one message in {@value #SAMPLED}
 */
public record TypeStatistics(
        int type,
        String name,
        long sent,
        long sentBytes,
        long received,
        long receivedBytes,
        long failures,
        LatencyHistogram handling) {
    /** Of so many messages one is measured. */
    public static final int SAMPLED = 32;
}
