package org.galerna.bench.pingpong;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One-way times of one pair at one message size: means of short batches, whose best and median are quoted, and single
 * exchanges, whose percentiles show the tail (each of them includes reading the clock, some 20 to 30 ns).
 */
final class Latency {
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final String pair;
    private final int length;
    private final List<Double> batchMeans = new ArrayList<>();
    private final Histogram single = new Histogram(HIGHEST_NANOS, DIGITS);

    Latency(String pair, int length) {
        this.pair = pair;
        this.length = length;
    }

    void addBatch(long nanos, int roundTrips) {
        batchMeans.add(nanos / 2.0 / roundTrips);
    }

    void addSingle(long nanos) {
        single.recordValue(Math.clamp(nanos / 2, 1, HIGHEST_NANOS));
    }

    /** Name of the pair. */
    String pair() {
        return pair;
    }

    /** Bytes of a message. */
    int length() {
        return length;
    }

    /** The best batch, in nanoseconds one way. */
    double best() {
        return Collections.min(batchMeans);
    }

    /** The median batch, in nanoseconds one way. */
    double median() {
        List<Double> sorted = batchMeans.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** A percentile of single exchanges, in nanoseconds one way. */
    long percentile(double percent) {
        return single.getValueAtPercentile(percent);
    }

    /** The slowest single exchange, in nanoseconds one way. */
    long slowest() {
        return single.getMaxValue();
    }

    /** Bytes per nanosecond, that is GB/s, one way in the median batch. */
    double gigabytesPerSecond() {
        return length / median();
    }
}
