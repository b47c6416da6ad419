package org.galerna.bench.pingpong;

import org.HdrHistogram.Histogram;

/**
 * How long a message of one size takes from one end to the other: half of a round trip, in microseconds.
 *
 * @param name the transport
 * @param bytes size of the message
 * @param rounds number of round trips measured
 * @param best the fastest
 * @param median half of them took longer
 * @param percentile99 one in a hundred took longer
 * @param percentile999 one in a thousand took longer
 */
public record LatencyRow(
        String name, int bytes, long rounds, double best, double median, double percentile99, double percentile999) {
    private static final double HALF_OF_NANOS_IN_MICROS = 0.5e-3;

    /** Summarizes round-trip times in nanoseconds. */
    public static LatencyRow of(String name, int bytes, Histogram roundTrips) {
        return new LatencyRow(
                name,
                bytes,
                roundTrips.getTotalCount(),
                HALF_OF_NANOS_IN_MICROS * roundTrips.getMinValue(),
                HALF_OF_NANOS_IN_MICROS * roundTrips.getValueAtPercentile(50),
                HALF_OF_NANOS_IN_MICROS * roundTrips.getValueAtPercentile(99),
                HALF_OF_NANOS_IN_MICROS * roundTrips.getValueAtPercentile(99.9));
    }

    /** A histogram for {@link #of}: 1 ns to 100 s with three digits. */
    public static Histogram newHistogram() {
        return new Histogram(1, 100_000_000_000L, 3);
    }

    /** Bytes a second through the median message, in MB/s. */
    public double megabytesPerSecond() {
        return bytes / median;
    }
}
