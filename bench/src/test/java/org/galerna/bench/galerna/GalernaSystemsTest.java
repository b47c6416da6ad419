package org.galerna.bench.galerna;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.bench.report.Result;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs everything for a moment, in real processes. How fast it is says nothing. */
class GalernaSystemsTest {
    private static final Suite SUITE = new Suite(true, 2, SuiteListener.NONE);

    @Test
    @Tag("slow")
    void everyLevelHasTheBenchmarksOfPairs() {
        List<ContenderFactory> levels = List.of(GalernaSystems.mpi(1), GalernaSystems.device(), GalernaSystems.link());
        List<Task> tasks = Stream.of(
                        Benchmark.LATENCY,
                        Benchmark.BANDWIDTH,
                        Benchmark.BIBANDWIDTH,
                        Benchmark.RATE,
                        Benchmark.ALLOCATION,
                        Benchmark.RESIDENT)
                .map(benchmark -> new Task(
                        benchmark, 2, benchmark == Benchmark.RESIDENT ? List.of(0L) : List.of(1L, 20_000L), 4, levels))
                .toList();
        Suite.Outcome outcome = SUITE.run(tasks);
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results())
                .hasSize(3 * 11)
                .filteredOn(result -> !result.benchmark().equals("allocation"))
                .allSatisfy(result -> assertThat(result.median()).isPositive());
        assertThat(outcome.results())
                .filteredOn(result -> result.benchmark().equals("latency"))
                .allSatisfy(result -> assertThat(result.percentiles()).hasSize(5));
    }

    @Test
    @Tag("slow")
    void packageMpiHasTheCollectivesAndOverlap() {
        List<Task> tasks = Stream.concat(Benchmark.collectives().stream(), Stream.of(Benchmark.OVERLAP))
                .map(benchmark -> new Task(
                        benchmark,
                        3,
                        benchmark == Benchmark.BARRIER ? List.of(0L) : List.of(8L, 4096L),
                        0,
                        List.of(GalernaSystems.mpi(1))))
                .toList();
        Suite.Outcome outcome = SUITE.run(tasks);
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results()).hasSize(2 * 10 + 1);
    }

    @Test
    void whatALevelLacksIsSaid() {
        Suite.Outcome outcome = SUITE.run(List.of(
                new Task(Benchmark.BCAST, 2, List.of(8L), 0, List.of(GalernaSystems.device())),
                new Task(Benchmark.REDUCE, 2, List.of(12L), 0, List.of(GalernaSystems.mpi(1))),
                new Task(Benchmark.LATENCY, 2, List.of(1L << 24), 0, List.of(GalernaSystems.link()))));
        assertThat(outcome.results()).isEmpty();
        assertThat(outcome.notes())
                .hasSize(3)
                .anyMatch(note -> note.startsWith("galerna device has no bcast"))
                .anyMatch(note -> note.startsWith("galerna mpi has no reduce: a vector of doubles"))
                .anyMatch(note -> note.startsWith("galerna link has no latency: a frame of link threads has at most"));
    }

    @Test
    @Tag("slow")
    void severalPairsAndThreadsSendAtOnce() {
        Suite.Outcome outcome = SUITE.run(List.of(
                new Task(Benchmark.RATE, 4, List.of(8L), 4, List.of(GalernaSystems.mpi(2), GalernaSystems.mpi(1)))));
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results()).extracting(Result::name).containsExactly("galerna mpi, 2 threads", "galerna mpi");
    }

    @Test
    void theLimitsOfTheMachineAreMeasured() {
        Suite.Outcome outcome = SUITE.run(List.of(new Task(
                Benchmark.LATENCY,
                2,
                List.of(1L, 4096L),
                0,
                List.of(GalernaSystems.cacheLine(), GalernaSystems.arrayCopy()))));
        assertThat(outcome.results())
                .extracting(result -> result.name() + " " + result.bytes())
                .containsExactly("cache line 1", "array copy 4096");
        assertThat(outcome.notes()).hasSize(2);
    }
}
