package org.galerna.collectives.algorithm;

/**
 * What an algorithm costs in Hockney's model (Hockney, "The communication challenge for MPP: Intel Paragon and Meiko
 * CS-2", 1994), extended by the time to reduce: the messages, bytes and reduced bytes on the longest path.
 *
 * @param messages messages one after the other
 * @param bytes bytes sent one after the other
 * @param reducedBytes bytes combined one after the other
 */
public record Cost(double messages, double bytes, double reducedBytes) {
    /** A cost without reduction. */
    public Cost(double messages, double bytes) {
        this(messages, bytes, 0);
    }

    /**
     * Estimated time in seconds.
     *
     * @param latency seconds from the start of an empty message to its arrival
     * @param perByte seconds for each byte of a message
     * @param perReducedByte seconds to combine a byte with another
     */
    public double seconds(double latency, double perByte, double perReducedByte) {
        return messages * latency + bytes * perByte + reducedBytes * perReducedByte;
    }
}
