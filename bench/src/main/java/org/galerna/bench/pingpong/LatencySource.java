package org.galerna.bench.pingpong;

import java.util.List;

/** Something whose latency can be measured. */
@FunctionalInterface
public interface LatencySource {
    /**
     * Measures, after warming up.
     *
     * @param bytes sizes of the messages, each at least 1
     * @param seconds time for each size, warm-up included
     * @return a row for each transport and size
     */
    List<LatencyRow> measure(List<Integer> bytes, double seconds);
}
