package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Standing;
import org.galerna.bench.report.TextTable;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final GalernaBuild NEW = new GalernaBuild(GalernaBuild.GALERNA, "new.jar", true);
    private static final GalernaBuild OLD = new GalernaBuild(GalernaBuild.BASELINE, "old.jar", true);

    private final List<String> started = new ArrayList<>();

    /** A system whose operations take as many nanoseconds as its build says; at each start some more or less. */
    private final class Steady implements ContenderFactory {
        private final GalernaBuild build;
        private final String level;
        private final double nanos;
        private final double[] ofStarts;
        private int starts;

        Steady(GalernaBuild build, String level, double nanos, double... ofStarts) {
            this.build = build;
            this.level = level;
            this.nanos = nanos;
            this.ofStarts = ofStarts;
        }

        @Override
        public String name() {
            return build.system();
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
            started.add(build.system() + " " + level);
            double factor = starts < ofStarts.length ? ofStarts[starts] : 1;
            starts++;
            return new Running(build.system(), level, nanos * factor);
        }
    }

    private record Running(String system, String level, double nanos) implements Contender {
        @Override
        public List<Answer> run(List<Command> commands) {
            return commands.stream().map(this::answer).toList();
        }

        private Answer answer(Command command) {
            return switch (command.benchmark()) {
                case "barrier" -> Answer.of(nanos * command.iterations());
                case "rate" -> Answer.of(nanos * command.iterations() * command.window());
                default -> Answer.unknown(command);
            };
        }

        @Override
        public void close() {
            // nothing runs
        }
    }

    /** What there is of both builds. */
    private record Level(Steady newer, Steady older) implements ContenderFactory {
        @Override
        public String name() {
            return newer.name();
        }

        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public Contender start(int ranks) {
            throw new AssertionError("only a level of a build is started");
        }

        @Override
        public Optional<ContenderFactory> of(GalernaBuild build) {
            return Optional.of(build.equals(NEW) ? newer : older);
        }
    }

    private Level level(String name, double newer, double older, double... ofStarts) {
        return new Level(new Steady(NEW, name, newer, ofStarts), new Steady(OLD, name, older));
    }

    private static List<Result> compare(int starts, int further, Benchmark benchmark, ContenderFactory... levels) {
        Comparison comparison = new Comparison(NEW, OLD, starts, further);
        Task task = new Task(benchmark, 2, List.of(benchmark == Benchmark.RATE ? 8L : 0L), 1, List.of(levels));
        return comparison
                .run(new Suite(true, 7, SuiteListener.NONE), comparison.tasks(List.of(task)))
                .results();
    }

    @Test
    void aSlowerBuildHasARatioOfMoreTimeAndIsWorse() {
        List<Result> results = compare(3, 2, Benchmark.BARRIER, level("mpi", 1200, 1000));
        assertThat(results)
                .extracting(Result::name, Result::median)
                .containsExactly(tuple("galerna mpi", 1.2), tuple("baseline mpi", 1.0));
        assertThat(results.getFirst().baseline().median()).isEqualTo(1.2);
        assertThat(results.getFirst().standing()).contains(Standing.BEHIND);
        assertThat(results.getLast().baseline()).isNull();
        assertThat(TextTable.of(results).lines().skip(2))
                .first()
                .asString()
                .contains("1.200   1.200 - 1.200")
                .endsWith("<- worse");
    }

    @Test
    void aFasterBuildHasARatioOfLessTimeAndIsBetter() {
        List<Result> results = compare(3, 2, Benchmark.BARRIER, level("mpi", 900, 1000));
        assertThat(results.getFirst().baseline().median()).isEqualTo(0.9);
        assertThat(results.getFirst().standing()).contains(Standing.AHEAD);
        assertThat(TextTable.of(results)).contains("0.900").doesNotContain("worse");
    }

    @Test
    void fewerMessagesASecondAreWorse() {
        List<Result> results = compare(1, 0, Benchmark.RATE, level("mpi", 2000, 1000));
        assertThat(results.getFirst().baseline().median()).isEqualTo(0.5);
        assertThat(results.getFirst().standing()).contains(Standing.BEHIND);
    }

    @Test
    void eachLevelIsComparedWithItsOwnLevelOfTheOlderBuild() {
        List<Result> results =
                compare(3, 2, Benchmark.BARRIER, level("mpi", 1000, 2000), level("mpi shmdev", 3000, 2000));
        assertThat(results)
                .filteredOn(result -> result.baseline() != null)
                .extracting(Result::name, result -> result.baseline().median())
                .containsExactly(tuple("galerna mpi", 0.5), tuple("galerna mpi shmdev", 1.5));
    }

    /** Who is alone in a process now and then is not slower. */
    @Test
    void theIntervalReachesOverAllStarts() {
        Result result = compare(3, 0, Benchmark.BARRIER, level("mpi", 1000, 1000, 1.1, 0.98, 1.05))
                .getFirst();
        assertThat(result.baseline().median()).isEqualTo(1.05);
        assertThat(result.baseline().lowerBound()).isEqualTo(0.98);
        assertThat(result.baseline().upperBound()).isEqualTo(1.1);
        assertThat(result.standing()).contains(Standing.UNCLEAR);
        assertThat(result.repetitions()).isEqualTo(21);
    }

    @Test
    void whatLooksSlowerIsMeasuredAgain() {
        List<Result> results = compare(
                2, 2, Benchmark.BARRIER, level("chance", 1000, 1000, 1.1, 1.05, 0.97), level("level", 1000, 1000));
        assertThat(results.getFirst().standing()).contains(Standing.UNCLEAR);
        assertThat(results.getFirst().repetitions()).isEqualTo(28);
        assertThat(started.stream().filter("galerna chance"::equals)).hasSize(4);
        assertThat(started.stream().filter("baseline chance"::equals)).hasSize(4);
        assertThat(started.stream().filter("galerna level"::equals)).hasSize(2);
    }

    @Test
    void theBuildsTakeTurnsInBeginning() {
        List<Result> results = compare(2, 0, Benchmark.BARRIER, level("mpi", 1000, 1000));
        assertThat(started).containsExactly("galerna mpi", "baseline mpi", "baseline mpi", "galerna mpi");
        assertThat(results).extracting(Result::name).containsExactly("galerna mpi", "baseline mpi");
    }
}
