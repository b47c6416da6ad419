package org.galerna.bench.suite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.report.Ratio;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Samples;
import org.galerna.bench.report.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Compares two builds of Galerna. Each level of the one takes turns with the same level of the other one, in processes that
 * are started anew several times: two processes of the same build differ by some percent for as long as they live. What looks
 * slower then is measured again in further starts, since of many rows some look slower by chance.
 */
public final class Comparison {
    private static final double SLOWEST = 100;
    private static final int PAIR = 2;

    private final GalernaBuild build;
    private final GalernaBuild baseline;
    private final int starts;
    private final int furtherStarts;

    /** What is measured: a row of a table, of one system. */
    private record Row(String system, String level, String benchmark, int ranks, long bytes, int window) {
        static Row of(Result result) {
            return new Row(
                    result.system(),
                    result.level(),
                    result.benchmark(),
                    result.ranks(),
                    result.bytes(),
                    result.window());
        }

        boolean isOf(Task task, long size) {
            return benchmark.equals(task.benchmark().word())
                    && ranks == task.ranks()
                    && window == task.window()
                    && bytes == size;
        }

        Row in(String otherSystem) {
            return new Row(otherSystem, level, benchmark, ranks, bytes, window);
        }
    }

    /** What all starts have found. */
    private static final class Findings {
        final Map<Row, List<Result>> results = new LinkedHashMap<>();
        final Map<Row, List<Ratio>> ratios = new LinkedHashMap<>();
        final Map<Row, ContenderFactory> groups = new LinkedHashMap<>();
        final Set<String> notes = new LinkedHashSet<>();
    }

    /**
     * A comparison.
     *
     * @param build the one whose rows get ratios
     * @param baseline the one that it is compared with
     * @param starts how often everything is started; at least 1
     * @param furtherStarts how often that is started that looked slower
     */
    public Comparison(GalernaBuild build, GalernaBuild baseline, int starts, int furtherStarts) {
        this.build = build;
        this.baseline = baseline;
        this.starts = starts;
        this.furtherStarts = furtherStarts;
    }

    /**
     * The tasks with the baseline as one more system: each level of Galerna with the same level of the baseline is a task of
     * its own, so that they follow each other directly. What is not Galerna stays with the first one.
     */
    public List<Task> tasks(List<Task> tasks) {
        List<Task> paired = new ArrayList<>();
        for (Task task : tasks) {
            List<List<ContenderFactory>> groups = new ArrayList<>();
            List<ContenderFactory> others = new ArrayList<>();
            for (ContenderFactory contender : task.contenders()) {
                Optional<ContenderFactory> newer = contender.of(build);
                Optional<ContenderFactory> older = contender.of(baseline);
                if (newer.isPresent() && older.isPresent()) {
                    groups.add(new ArrayList<>(List.of(newer.get(), older.get())));
                } else {
                    others.add(contender);
                }
            }
            if (groups.isEmpty()) {
                groups.add(others);
            } else {
                groups.getFirst().addAll(others);
            }
            groups.forEach(group -> paired.add(task.with(group)));
        }
        return paired;
    }

    /** How many rows of tasks all starts have together. */
    public int rows(List<Task> tasks) {
        return starts * tasks.stream().mapToInt(task -> task.bytes().size()).sum();
    }

    /**
     * Measures on the calling thread.
     *
     * @param suite runs the tasks of one start
     * @param tasks those of {@link #tasks}
     */
    public Suite.Outcome run(Suite suite, List<Task> tasks) {
        Findings findings = new Findings();
        for (int start = 0; start < starts; start++) {
            add(suite, tasks, start, findings);
        }
        List<Result> merged = merged(findings);
        List<Task> again = suspects(tasks, merged, findings);
        if (!again.isEmpty() && furtherStarts > 0) {
            for (int start = starts; start < starts + furtherStarts; start++) {
                add(suite, again, start, findings);
            }
            findings.notes.add(
                    again.stream().mapToInt(task -> task.bytes().size()).sum()
                            + " rows looked slower than the baseline and were measured again, in " + furtherStarts
                            + " further starts");
            merged = merged(findings);
        }
        return new Suite.Outcome(merged, List.copyOf(findings.notes));
    }

    /** One start, group by group, so that no more processes wait than take turns. Another one begins at each start. */
    private void add(Suite suite, List<Task> tasks, int start, Findings findings) {
        Map<ContenderFactory, List<Task>> groups = new LinkedHashMap<>();
        for (Task task : tasks) {
            groups.computeIfAbsent(task.contenders().getFirst(), any -> new ArrayList<>())
                    .add(start % 2 == 0 ? task : task.with(task.contenders().reversed()));
        }
        groups.forEach((first, group) -> {
            Suite.Outcome outcome = suite.run(group);
            findings.notes.addAll(outcome.notes());
            Map<Row, Result> found = new LinkedHashMap<>();
            outcome.results().forEach(result -> found.put(Row.of(result), result));
            found.forEach((row, result) -> {
                findings.results.computeIfAbsent(row, any -> new ArrayList<>()).add(result);
                Result older = found.get(row.in(baseline.system()));
                if (row.system().equals(build.system()) && older != null) {
                    findings.ratios
                            .computeIfAbsent(row, any -> new ArrayList<>())
                            .add(Ratio.of(result, older));
                    findings.groups.put(row, first);
                }
            });
        });
    }

    private static List<Result> merged(Findings findings) {
        List<Result> merged = new ArrayList<>();
        findings.results.forEach((row, results) -> merged.add(merged(results, findings.ratios.get(row))));
        return merged;
    }

    /** A row of all starts as one, with all their rounds. */
    private static Result merged(List<Result> results, @Nullable List<Ratio> ratios) {
        Result first = results.getFirst();
        Samples samples = new Samples();
        results.forEach(result -> result.rounds().forEach(samples::add));
        Result merged = samples.count() == 0
                ? first
                : Result.of(
                        first.system(),
                        first.level(),
                        first.benchmark(),
                        first.ranks(),
                        first.bytes(),
                        first.window(),
                        first.unit(),
                        samples,
                        percentiles(results));
        return ratios == null ? merged : merged.comparedWith(Ratio.ofStarts(ratios));
    }

    private static SortedMap<Double, Double> percentiles(List<Result> results) {
        SortedMap<Double, Samples> found = new TreeMap<>();
        results.forEach(result -> result.percentiles()
                .forEach((percent, value) ->
                        found.computeIfAbsent(percent, any -> new Samples()).add(value)));
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        found.forEach((percent, samples) ->
                percentiles.put(percent, percent == SLOWEST ? samples.greatest() : samples.median()));
        return percentiles;
    }

    /** What is to be measured again: the pairs alone, at the sizes that look slower. */
    private List<Task> suspects(List<Task> tasks, List<Result> results, Findings findings) {
        Set<Row> slower = new LinkedHashSet<>();
        results.stream()
                .filter(result ->
                        result.standing().filter(Standing.BEHIND::equals).isPresent())
                .forEach(result -> slower.add(Row.of(result)));
        List<Task> suspects = new ArrayList<>();
        for (Task task : tasks) {
            ContenderFactory first = task.contenders().getFirst();
            List<Long> sizes = task.bytes().stream()
                    .filter(bytes -> slower.stream()
                            .anyMatch(row -> row.isOf(task, bytes) && first.equals(findings.groups.get(row))))
                    .toList();
            if (!sizes.isEmpty()) {
                suspects.add(new Task(
                        task.benchmark(),
                        task.ranks(),
                        sizes,
                        task.window(),
                        task.contenders().subList(0, PAIR)));
            }
        }
        return suspects;
    }
}
