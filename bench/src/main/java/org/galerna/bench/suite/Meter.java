package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.galerna.bench.report.Result;

/**
 * Measures contenders in turns: a repetition of one, a repetition of the next, so that a noisy moment hits them all. Who
 * begins changes from round to round.
 */
final class Meter {
    private static final double[] PERCENTS = {50, 95, 99, 99.9, 100};
    private static final double SINGLES_MICROS = 20_000;
    private static final double NANOS_PER_MICRO = 1000;
    private static final int FEWEST_SINGLES = 10;
    private static final int MOST_SINGLES = 20_000;
    private static final long DIRECT_BYTES = 64 << 20;
    private static final int MOST_DIRECT_ITERATIONS = 10_000;
    private static final int LEAST_DIRECT_ITERATIONS = 10;

    private final Pace pace;
    private final int repetitions;
    private final Field field;

    /** An entrant with its command and what it has reached. */
    private record Runner(Entrant entrant, Command command, Samples samples) {}

    /**
     * A meter.
     *
     * @param repetitions rounds to be counted
     * @param field who is there; loses those that fail
     */
    Meter(Pace pace, int repetitions, Field field) {
        this.pace = pace;
        this.repetitions = repetitions;
        this.field = field;
    }

    /** Measures all that take part in the task at one size. */
    List<Result> measure(Task task, long bytes) {
        List<Runner> runners = new ArrayList<>();
        for (Entrant entrant : field.of(task.contenders())) {
            field.attempt(entrant, () -> prepare(entrant, task, bytes, runners));
        }
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (Runner runner : List.copyOf(runners)) {
                if (!field.attempt(runner.entrant(), () -> repeat(runner, task))) {
                    runners.remove(runner);
                }
            }
            Collections.rotate(runners, -1);
        }
        List<Result> results = new ArrayList<>();
        // in the order in which they were named, whoever came first in the last round
        for (Entrant entrant : field.of(task.contenders())) {
            for (Runner runner : runners) {
                if (runner.entrant() == entrant) {
                    field.attempt(entrant, () -> results.add(result(runner, task)));
                }
            }
        }
        return results;
    }

    private void prepare(Entrant entrant, Task task, long bytes, List<Runner> runners) {
        Benchmark benchmark = task.benchmark();
        Command command = new Command(benchmark.word(), bytes, 1, task.window());
        if (entrant.contender().run(command) instanceof Answer.Refused refused) {
            field.note(entrant.contender().name() + " has no " + benchmark.word() + ": " + refused.reason());
            return;
        }
        if (benchmark.isDirect()) {
            command = new Command(benchmark.word(), bytes, directIterations(bytes), task.window());
            pace.warmUpDirect(entrant, command);
        } else {
            pace.warmUp(entrant, command);
            command = pace.calibrate(entrant, command);
        }
        runners.add(new Runner(entrant, command, new Samples()));
    }

    private static int directIterations(long bytes) {
        return Math.clamp(DIRECT_BYTES / Math.max(bytes, 1), LEAST_DIRECT_ITERATIONS, MOST_DIRECT_ITERATIONS);
    }

    private void repeat(Runner runner, Task task) {
        Benchmark benchmark = task.benchmark();
        Answer answer = benchmark.isDirect()
                ? runner.entrant().contender().run(runner.command())
                : pace.measure(runner.entrant(), runner.command());
        if (answer instanceof Answer.Values values) {
            runner.samples()
                    .add(benchmark.value(
                            runner.command(),
                            Math.max(values.values().getFirst(), benchmark.isDirect() ? 0 : 1),
                            runner.entrant().streams(task.ranks())));
        } else {
            throw new ContenderException(runner.entrant().contender().name() + " refuses \""
                    + runner.command().toLine() + "\", which it has done before");
        }
    }

    private Result result(Runner runner, Task task) {
        Benchmark benchmark = task.benchmark();
        Samples samples = runner.samples();
        return new Result(
                runner.entrant().contender().system(),
                runner.entrant().contender().level(),
                benchmark.word(),
                task.ranks(),
                runner.command().bytes(),
                task.window(),
                benchmark.unit(),
                benchmark.unit().moreIsBetter() ? samples.greatest() : samples.least(),
                samples.median(),
                samples.lowerBound(),
                samples.upperBound(),
                samples.count(),
                benchmark == Benchmark.LATENCY ? percentiles(runner, samples.median()) : new TreeMap<>());
    }

    /** Of single one-way times, in microseconds; empty if the contender has none. */
    private SortedMap<Double, Double> percentiles(Runner runner, double median) {
        int singles = (int) Math.clamp(SINGLES_MICROS / (2 * median), FEWEST_SINGLES, MOST_SINGLES);
        Command command = new Command(
                "percentiles " + runner.command().benchmark(),
                runner.command().bytes(),
                singles,
                runner.command().window());
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        if (pace.measureSingles(runner.entrant(), runner.command(), command) instanceof Answer.Values values) {
            for (int each = 0; each < PERCENTS.length && each < values.values().size(); each++) {
                percentiles.put(PERCENTS[each], values.values().get(each) / NANOS_PER_MICRO);
            }
        }
        return percentiles;
    }
}
