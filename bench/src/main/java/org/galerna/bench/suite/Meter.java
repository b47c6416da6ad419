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

    /** How often a task is begun anew, because repetitions turn out to be too short. */
    private static final int RESTARTS = 2;

    private final Pace pace;
    private final boolean timesSingles;
    private final int repetitions;
    private final Field field;

    /** An entrant with its command and what it has reached. */
    private static final class Runner {
        final Entrant entrant;
        Command command;
        Samples samples = new Samples();
        boolean tooShort;
        final SortedMap<Double, Samples> singles = new TreeMap<>();

        Runner(Entrant entrant, Command command) {
            this.entrant = entrant;
            this.command = command;
        }
    }

    /**
     * A meter.
     *
     * @param timesSingles whether single operations are timed, too
     * @param repetitions rounds to be counted
     * @param field who is there; loses those that fail
     */
    Meter(Pace pace, boolean timesSingles, int repetitions, Field field) {
        this.pace = pace;
        this.timesSingles = timesSingles;
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
        for (int restarts = 0; takeTurns(runners, task, restarts < RESTARTS); restarts++) {
            runners.forEach(runner -> runner.samples = new Samples());
        }
        if (timesSingles && task.benchmark() == Benchmark.LATENCY) {
            for (int round = 0; round < Math.min(repetitions, ROUNDS_OF_SINGLES); round++) {
                inTurn(runners, round, this::timeSingles);
            }
        }
        List<Result> results = new ArrayList<>();
        for (Runner runner : runners) {
            results.add(result(runner, task));
        }
        return results;
    }

    /**
     * All rounds, unless it turns out that somebody's repetitions are too short, because the machine was busy with something
     * else when they were calibrated: then what was measured is how ranks wake up and find a core.
     *
     * @param strict whether to stop then; otherwise repetitions stay as they are
     * @return true if repetitions have been calibrated anew, and the rounds are to be begun anew
     */
    private boolean takeTurns(List<Runner> runners, Task task, boolean strict) {
        for (int round = 0; round < repetitions; round++) {
            inTurn(runners, round, runner -> repeat(runner, task));
            if (strict && !task.benchmark().isDirect() && lengthen(runners)) {
                return true;
            }
        }
        return false;
    }

    private boolean lengthen(List<Runner> runners) {
        boolean lengthened = false;
        for (Runner runner : List.copyOf(runners)) {
            if (runner.tooShort) {
                runner.tooShort = false;
                lengthened = true;
                attempt(runners, runner, each -> each.command = pace.calibrate(each.entrant, each.command));
            }
        }
        return lengthened;
    }

    /** Another one begins in each round. Those that fail are no longer among the runners. */
    private void inTurn(List<Runner> runners, int round, Consumer<Runner> step) {
        List<Runner> order = new ArrayList<>(runners);
        Collections.rotate(order, -round);
        for (Runner runner : order) {
            attempt(runners, runner, step);
        }
    }

    private void attempt(List<Runner> runners, Runner runner, Consumer<Runner> step) {
        if (!field.attempt(runner.entrant, () -> step.accept(runner))) {
            runners.remove(runner);
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
                ? runner.entrant.contender().run(runner.command)
                : pace.measure(runner.entrant, runner.command);
        if (answer instanceof Answer.Values values) {
            runner.tooShort |= pace.isTooShort(runner.command, values.values().getFirst());
            runner.samples.add(benchmark.value(
                    runner.command,
                    Math.max(values.values().getFirst(), benchmark.isDirect() ? 0 : 1),
                    runner.entrant.streams(benchmark, task.ranks())));
        } else {
            throw new ContenderException(runner.entrant.contender().name() + " refuses \"" + runner.command.toLine()
                    + "\", which it has done before");
        }
    }

    private Result result(Runner runner, Task task) {
        Benchmark benchmark = task.benchmark();
        return Result.of(
                runner.entrant.contender().system(),
                runner.entrant.contender().level(),
                benchmark.word(),
                task.ranks(),
                runner.command.bytes(),
                task.window(),
                benchmark.unit(),
                runner.samples,
                percentiles(runner));
    }

    /** Times single operations, if the contender can do that. */
    private void timeSingles(Runner runner) {
        double median = runner.samples.median();
        int singles = (int) Math.clamp(SINGLES_MICROS / (2 * median), FEWEST_SINGLES, MOST_SINGLES);
        Command command = new Command(
                "percentiles " + runner.command.benchmark(), runner.command.bytes(), singles, runner.command.window());
        if (pace.measureSingles(runner.entrant, runner.command, command) instanceof Answer.Values values) {
            for (int each = 0; each < PERCENTS.length && each < values.values().size(); each++) {
                runner.singles
                        .computeIfAbsent(PERCENTS[each], percent -> new Samples())
                        .add(values.values().get(each) / NANOS_PER_MICRO);
            }
        }
    }

    /** Of each percentile what the round in the middle found; of the slowest operation what the slowest round did. */
    private static SortedMap<Double, Double> percentiles(Runner runner) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        runner.singles.forEach((percent, samples) ->
                percentiles.put(percent, percent == SLOWEST ? samples.greatest() : samples.median()));
        return percentiles;
    }
}
