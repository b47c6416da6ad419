package org.galerna.messaging.counters;

import java.util.concurrent.atomic.AtomicLongArray;
import org.galerna.messaging.LatencyHistogram;
import org.jspecify.annotations.Nullable;

/** Counts how long things took. It has no buckets before the first one. Any thread. */
public final class LatencyRecorder {
    private volatile @Nullable AtomicLongArray counts;

    /** Nothing was counted yet. */
    public LatencyRecorder() {}

    /** Counts one. */
    public void record(long nanos) {
        AtomicLongArray known = counts;
        if (known == null) {
            known = begin();
        }
        known.getAndIncrement(LatencyHistogram.bucketOf(nanos));
    }

    private synchronized AtomicLongArray begin() {
        AtomicLongArray known = counts;
        if (known == null) {
            known = new AtomicLongArray(LatencyHistogram.BUCKETS);
            counts = known;
        }
        return known;
    }

    /** Adds what was counted. */
    public void addTo(long[] sums) {
        AtomicLongArray known = counts;
        for (int bucket = 0; known != null && bucket < sums.length; bucket++) {
            sums[bucket] += known.get(bucket);
        }
    }

    /** What was counted so far. */
    public LatencyHistogram histogram() {
        long[] sums = new long[LatencyHistogram.BUCKETS];
        addTo(sums);
        return new LatencyHistogram(sums);
    }
}
