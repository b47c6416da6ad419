package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.galerna.bench.report.Result;

/**
 * Runs tasks. All contenders on one number of ranks are started once and used for every task on so many ranks, in the
 * order of the tasks.
 */
public final class Suite {
    private final Pace pace;
    private final boolean timesSingles;
    private final int repetitions;
    private final SuiteListener listener;

    /** What a run has found. */
    public record Outcome(List<Result> results, List<String> notes) {
        /** Copies the lists. */
        public Outcome {
            results = List.copyOf(results);
            notes = List.copyOf(notes);
        }
    }

    /**
     * A suite.
     *
     * @param hasty only to see that everything runs: the figures say nothing
     * @param repetitions of about three milliseconds per contender and size; at least 1
     */
    public Suite(boolean hasty, int repetitions, SuiteListener listener) {
        this(hasty ? Pace.HASTY : Pace.CAREFUL, true, repetitions, listener);
    }

    /** A suite whose systems are warmed up for a fraction of a second only, for a first look. */
    public static Suite brisk(int repetitions, SuiteListener listener) {
        return new Suite(Pace.BRISK, true, repetitions, listener);
    }

    /** The same, without percentiles of single operations. */
    public static Suite briskWithoutSingles(int repetitions, SuiteListener listener) {
        return new Suite(Pace.BRISK, false, repetitions, listener);
    }

    private Suite(Pace pace, boolean timesSingles, int repetitions, SuiteListener listener) {
        if (repetitions < 1) {
            throw new IllegalArgumentException("at least one repetition is needed, not " + repetitions);
        }
        this.pace = pace;
        this.timesSingles = timesSingles;
        this.repetitions = repetitions;
        this.listener = listener;
    }

    /** Runs the tasks on the calling thread. */
    public Outcome run(List<Task> tasks) {
        Map<Integer, List<Task>> byRanks = new TreeMap<>();
        tasks.forEach(task ->
                byRanks.computeIfAbsent(task.ranks(), any -> new ArrayList<>()).add(task));
        List<Result> results = new ArrayList<>();
        Set<String> notes = new LinkedHashSet<>();
        byRanks.forEach((ranks, group) -> run(ranks, group, results, notes));
        return new Outcome(results, List.copyOf(notes));
    }

    private void run(int ranks, List<Task> tasks, List<Result> results, Set<String> notes) {
        List<ContenderFactory> factories = tasks.stream()
                .flatMap(task -> task.contenders().stream())
                .distinct()
                .toList();
        try (Field field = new Field(factories, ranks, notes)) {
            Meter meter = new Meter(pace.forRanks(ranks), timesSingles, repetitions, field);
            for (Task task : tasks) {
                results.addAll(run(task, meter, results));
            }
        }
    }

    private List<Result> run(Task task, Meter meter, List<Result> earlier) {
        listener.onStart(task);
        List<Result> results = new ArrayList<>();
        for (long bytes : task.bytes()) {
            List<Result> measured = meter.measure(task, bytes);
            results.addAll(measured);
            measured.stream()
                    .limit(1) // Galerna, where it takes part
                    .forEach(first ->
                            CostModel.beside(task.benchmark(), first, earlier).ifPresent(results::add));
            listener.onSize(task, bytes);
        }
        listener.onEnd(task, results);
        return results;
    }
}
