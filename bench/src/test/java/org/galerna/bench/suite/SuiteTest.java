package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.galerna.bench.report.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuiteTest {
    private static final double DISTURBANCE = 10_000;

    private final List<String> started = new ArrayList<>();

    /** A system that takes 100 ns for everything, times {@code slowness}. */
    private final class Steady implements ContenderFactory, Contender {
        private final String name;
        private final double slowness;
        private final int longest;
        private int left;
        private boolean closed;

        /** Commands that take ten thousand times as long, because something else is going on. */
        private int disturbed;

        private int iterations;

        Steady(String name, double slowness, int longest, int commands) {
            this.name = name;
            this.slowness = slowness;
            this.longest = longest;
            this.left = commands;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean warmsUp() {
            return false;
        }

        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public Contender start(int ranks) {
            started.add(name + " " + ranks);
            return this;
        }

        @Override
        public String system() {
            return name;
        }

        @Override
        public String level() {
            return "";
        }

        @Override
        public List<Answer> run(List<Command> commands) {
            assertThat(closed).isFalse();
            if (--left < 0) {
                throw new ContenderException(name + " has ended");
            }
            boolean slow = disturbed-- > 0;
            iterations = commands.getLast().iterations();
            return commands.stream()
                    .map(command -> answer(command, slow ? DISTURBANCE * slowness : slowness))
                    .toList();
        }

        private Answer answer(Command command, double slowness) {
            if (command.bytes() > longest) {
                return new Answer.Refused("at most " + longest + " bytes");
            }
            return switch (command.benchmark()) {
                case "latency" -> Answer.of(200 * slowness * command.iterations());
                case "percentiles latency" -> Answer.of(100, 200, 300, 400, 500);
                case "barrier" -> Answer.of(100 * slowness * command.iterations());
                default -> Answer.unknown(command);
            };
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Suite suite() {
        return new Suite(true, 7, SuiteListener.NONE);
    }

    @Test
    void contendersAreMeasuredAtEverySize() {
        Steady fast = new Steady("fast", 1, 1 << 20, 10_000);
        Steady slow = new Steady("slow", 3, 1 << 20, 10_000);
        Suite.Outcome outcome =
                suite().run(List.of(new Task(Benchmark.LATENCY, 2, List.of(1L, 1024L), 0, List.of(fast, slow))));
        assertThat(outcome.results())
                .extracting(Result::name, Result::bytes, Result::median, Result::repetitions)
                .containsExactly(
                        tuple("fast", 1L, 0.1, 7),
                        tuple("slow", 1L, 0.3, 7),
                        tuple("fast", 1024L, 0.1, 7),
                        tuple("slow", 1024L, 0.3, 7));
        assertThat(outcome.results().getFirst().percentiles())
                .containsEntry(50.0, 0.1)
                .containsEntry(99.9, 0.4)
                .containsEntry(100.0, 0.5);
        assertThat(fast.closed).isTrue();
        assertThat(outcome.notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 12})
    void whatWasCalibratedInABadMomentIsCalibratedAnew(int disturbed) {
        Steady steady = new Steady("steady", 1, 1, 10_000);
        Steady other = new Steady("other", 2, 1, 10_000);
        other.disturbed = disturbed;
        List<Result> results = new Suite(false, 7, SuiteListener.NONE)
                .run(List.of(new Task(Benchmark.BARRIER, 2, List.of(0L), 0, List.of(steady, other))))
                .results();
        assertThat(results)
                .extracting(Result::name, Result::best, Result::median, Result::repetitions)
                .containsExactly(tuple("steady", 0.1, 0.1, 7), tuple("other", 0.2, 0.2, 7));
        assertThat(results.getLast().upperBound()).isEqualTo(0.2);
        assertThat(other.iterations)
                .as("iterations of 200 ns in a repetition of 1 ms")
                .isBetween(1000, 20_000);
    }

    @Test
    void contendersAreStartedOncePerNumberOfRanks() {
        Steady one = new Steady("one", 1, 1, 10_000);
        List<Task> tasks = List.of(
                new Task(Benchmark.BARRIER, 2, List.of(0L), 0, List.of(one)),
                new Task(Benchmark.LATENCY, 2, List.of(1L), 0, List.of(one)));
        assertThat(suite().run(tasks).results()).hasSize(2);
        assertThat(started).containsExactly("one 2");
    }

    @Test
    void moreRanksAreMeasuredBesideTheCostModel() {
        List<Task> tasks = IntStream.of(16, 4)
                .mapToObj(ranks -> new Task(
                        Benchmark.BARRIER,
                        ranks,
                        List.of(0L),
                        0,
                        List.of(new Steady("one", 1, 1, 10_000), new Steady("two", 2, 1, 10_000))))
                .toList();
        assertThat(suite().run(tasks).results())
                .extracting(Result::name, Result::ranks)
                .containsExactly(
                        tuple("one", 4), tuple("two", 4), tuple("one", 16), tuple("two", 16), tuple("cost model", 16));
    }

    @Test
    void refusalsAreNotedOnce() {
        Steady small = new Steady("small", 1, 8, 10_000);
        Suite.Outcome outcome =
                suite().run(List.of(new Task(Benchmark.LATENCY, 2, List.of(1L, 64L, 128L), 0, List.of(small))));
        assertThat(outcome.results()).extracting(Result::bytes).containsExactly(1L);
        assertThat(outcome.notes()).containsExactly("small has no latency: at most 8 bytes");
    }

    @Test
    void whoFailsLeavesTheOthersInTheField() {
        Steady steady = new Steady("steady", 1, 1 << 20, 10_000);
        Steady mortal = new Steady("mortal", 1, 1 << 20, 12);
        Suite.Outcome outcome =
                suite().run(List.of(new Task(Benchmark.LATENCY, 2, List.of(1L, 8L), 0, List.of(mortal, steady))));
        assertThat(outcome.results()).extracting(Result::system).containsExactly("steady", "steady");
        assertThat(outcome.notes()).containsExactly("mortal has ended");
        assertThat(mortal.closed).isTrue();
    }
}
