package org.galerna.bench.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.bench.report.Result;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs everything for a moment, in real processes. How fast it is says nothing. */
class MessagingSystemTest {
    private static final Suite SUITE = new Suite(true, 2, SuiteListener.NONE);

    @Test
    @Tag("slow")
    void twoNodesHaveTheBenchmarksOfPairs() {
        List<ContenderFactory> systems =
                List.of(new MessagingSystem("shm", 1, 1, 1), new MessagingSystem("tcp", 2, 3, 2));
        Suite.Outcome outcome = SUITE.run(List.of(
                new Task(Benchmark.RATE, 2, List.of(1L, 64L), 16, systems),
                new Task(Benchmark.BANDWIDTH, 2, List.of(100_000L), 4, systems),
                new Task(Benchmark.BIBANDWIDTH, 2, List.of(4096L), 4, systems),
                new Task(Benchmark.LATENCY, 2, List.of(64L), 0, systems),
                new Task(Benchmark.ALLOCATION, 2, List.of(64L), 0, systems.subList(0, 1)),
                new Task(Benchmark.IDLE, 2, List.of(0L), 0, systems.subList(0, 1))));
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results()).extracting(Result::name).contains("galerna messaging shm");
        assertThat(outcome.results()).extracting(Result::name).contains("galerna messaging tcp, 2 senders, 2 handlers");
        assertThat(outcome.results()).hasSize(2 * 5 + 2);
    }

    /** The nodes notice themselves when a row is not found. */
    @Test
    @Tag("slow")
    void threeNodesAreAStore() {
        List<ContenderFactory> systems = List.of(new MessagingSystem("shm", 2, 2, 1));
        Suite.Outcome outcome = SUITE.run(Benchmark.stores().stream()
                .map(mix -> new Task(mix, 3, List.of(100L), 0, systems))
                .toList());
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results()).hasSize(5);
        assertThat(outcome.results())
                .allSatisfy(result -> assertThat(result.median()).isPositive());
    }

    @Test
    @Tag("slow")
    void threeNodesSendToEachOther() {
        Suite.Outcome outcome = SUITE.run(List.of(
                new Task(Benchmark.EXCHANGE, 3, List.of(64L), 16, List.of(new MessagingSystem("shm", 1, 1, 1)))));
        assertThat(outcome.notes()).isEmpty();
        assertThat(outcome.results())
                .singleElement()
                .satisfies(result -> assertThat(result.median()).isPositive());
    }
}
