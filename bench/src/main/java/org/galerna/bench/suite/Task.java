package org.galerna.bench.suite;

import java.util.List;

/**
 * One benchmark on one number of ranks.
 *
 * @param bytes the sizes, in the order in which they are measured
 * @param window messages in flight where the benchmark is a stream; 0 otherwise
 * @param contenders who takes part
 */
public record Task(Benchmark benchmark, int ranks, List<Long> bytes, int window, List<ContenderFactory> contenders) {
    /** Copies the lists. */
    public Task {
        bytes = List.copyOf(bytes);
        contenders = List.copyOf(contenders);
        if (bytes.isEmpty() || ranks < 2 || window < 0) {
            throw new IllegalArgumentException("nothing to measure: " + benchmark + " on " + ranks + " ranks");
        }
    }

    /** The same with others who take part. */
    Task with(List<ContenderFactory> others) {
        return new Task(benchmark, ranks, bytes, window, others);
    }
}
