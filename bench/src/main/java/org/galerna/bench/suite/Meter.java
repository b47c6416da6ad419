package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Samples;

/**
 * Measures contenders in turns: a repetition of one, a repetition of the next, so that a noisy moment hits them all.
 */
final class Meter {
    private static final double SLOWEST = 100;
    private static final double[] PERCENTS = {50, 95, 99, 99.9, SLOWEST};
    private static final int ROUNDS_OF_SINGLES = 5;
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
    private record Runner(Entrant entrant, Command command, Samples samples, SortedMap<Double, Samples> singles) {
        Runner(Entrant entrant, Command command) {
            this(entrant, command, new Samples(), new TreeMap<>());
        }
    }

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
        Command command = new Command(task.benchmark().word(), bytes, 1, task.window());
        for (Entrant entrant : field.of(task.contenders())) {
            boolean unused = field.attempt(entrant, () -> warmUp(entrant, command, task.benchmark()));
        }
        for (Entrant entrant : field.of(task.contenders())) {
            boolean unused = field.attempt(entrant, () -> prepare(entrant, command, task.benchmark(), runners));
        }
        inTurns(runners, repetitions, runner -> repeat(runner, task));
        if (task.benchmark() == Benchmark.LATENCY) {
            inTurns(runners, Math.min(repetitions, ROUNDS_OF_SINGLES), this::timeSingles);
        }
        List<Result> results = new ArrayList<>();
        for (Runner runner : runners) {
            results.add(result(runner, task));
        }
        return results;
    }

    /** Who begins changes from round to round. Those that fail are no longer among the runners. */
    private void inTurns(List<Runner> runners, int rounds, Consumer<Runner> step) {
        for (int round = 0; round < rounds; round++) {
            List<Runner> order = new ArrayList<>(runners);
            Collections.rotate(order, -round);
            for (Runner runner : order) {
                if (!field.attempt(runner.entrant(), () -> step.accept(runner))) {
                    runners.remove(runner);
                }
            }
        }
    }

    private void warmUp(Entrant entrant, Command command, Benchmark benchmark) {
        if (!entrant.warmsUp() || !entrant.isNew(command, benchmark)) {
            return;
        }
        for (int each = 0; each < entrant.warmUps(); each++) {
            if (benchmark.isDirect()) {
                pace.warmUpDirect(entrant, direct(command));
            } else {
                pace.warmUp(entrant, command);
            }
        }
    }

    private void prepare(Entrant entrant, Command command, Benchmark benchmark, List<Runner> runners) {
        if (entrant.contender().run(command) instanceof Answer.Refused refused) {
            field.note(entrant.contender().name() + " has no " + benchmark.word() + ": " + refused.reason());
            return;
        }
        Command chosen = benchmark.isDirect() ? direct(command) : pace.calibrate(entrant, command);
        runners.add(new Runner(entrant, chosen));
    }

    private static Command direct(Command command) {
        return new Command(command.benchmark(), command.bytes(), directIterations(command.bytes()), command.window());
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
                            runner.entrant().streams(benchmark, task.ranks())));
        } else {
            throw new ContenderException(runner.entrant().contender().name() + " refuses \""
                    + runner.command().toLine() + "\", which it has done before");
        }
    }

    private Result result(Runner runner, Task task) {
        Benchmark benchmark = task.benchmark();
        return Result.of(
                runner.entrant().contender().system(),
                runner.entrant().contender().level(),
                benchmark.word(),
                task.ranks(),
                runner.command().bytes(),
                task.window(),
                benchmark.unit(),
                runner.samples(),
                percentiles(runner));
    }

    /** Times single operations, if the contender can do that. */
    private void timeSingles(Runner runner) {
        double median = runner.samples().median();
        int singles = (int) Math.clamp(SINGLES_MICROS / (2 * median), FEWEST_SINGLES, MOST_SINGLES);
        Command command = new Command(
                "percentiles " + runner.command().benchmark(),
                runner.command().bytes(),
                singles,
                runner.command().window());
        if (pace.measureSingles(runner.entrant(), runner.command(), command) instanceof Answer.Values values) {
            for (int each = 0; each < PERCENTS.length && each < values.values().size(); each++) {
                runner.singles()
                        .computeIfAbsent(PERCENTS[each], percent -> new Samples())
                        .add(values.values().get(each) / NANOS_PER_MICRO);
            }
        }
    }

    /** Of each percentile what the round in the middle found; of the slowest operation what the slowest round did. */
    private static SortedMap<Double, Double> percentiles(Runner runner) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        runner.singles()
                .forEach((percent, samples) ->
                        percentiles.put(percent, percent == SLOWEST ? samples.greatest() : samples.median()));
        return percentiles;
    }
}
