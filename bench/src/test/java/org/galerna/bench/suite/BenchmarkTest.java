package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarkTest {
    private static double value(Benchmark benchmark, long bytes, int window, int streams) {
        Command command = new Command(benchmark.word(), bytes, 1000, window);
        return benchmark.value(command, 2_000_000, streams);
    }

    @Test
    void nanosecondsBecomeTheUnitOfTheBenchmark() {
        assertThat(value(Benchmark.LATENCY, 8, 0, 1))
                .as("half a round trip, in µs")
                .isEqualTo(1);
        assertThat(value(Benchmark.BARRIER, 0, 0, 1)).as("µs").isEqualTo(2);
        assertThat(value(Benchmark.ALLREDUCE, 8, 0, 1)).as("µs").isEqualTo(2);
        assertThat(value(Benchmark.BANDWIDTH, 1000, 64, 1)).as("GB/s").isEqualTo(32);
        assertThat(value(Benchmark.BIBANDWIDTH, 1000, 64, 1)).as("GB/s").isEqualTo(64);
        assertThat(value(Benchmark.RATE, 8, 64, 1)).as("M msg/s").isEqualTo(32);
        assertThat(value(Benchmark.RATE, 8, 64, 3)).as("M msg/s").isEqualTo(96);
        assertThat(value(Benchmark.RESIDENT, 0, 0, 1)).as("bytes").isEqualTo(2_000_000);
    }

    @Test
    void benchmarksAreFoundByTheirNames() {
        assertThat(Benchmark.named("reducescatter")).containsExactly(Benchmark.REDUCESCATTER);
        assertThat(Benchmark.named("frobnicate")).isEmpty();
        assertThat(Benchmark.collectives()).hasSize(10).contains(Benchmark.BARRIER, Benchmark.SCAN);
    }
}
