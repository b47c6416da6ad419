package org.galerna.cli.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.build.UnusableJarException;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.report.CoreDistance;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.Standing;
import org.galerna.bench.report.TextTable;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.Comparison;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProgressListener;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.Task;
import org.galerna.cli.usage.UsageException;

/** A run that compares this build with an older one. */
final class BaselineRun {
    private static final int STARTS = 6;
    private static final int FURTHER_STARTS = 3;
    private static final int QUICK_STARTS = 3;
    private static final int QUICK_FURTHER_STARTS = 4;
    private static final int QUICK_REPETITIONS = 7;

    private final GalernaBuild own;
    private final GalernaBuild baseline;

    private BaselineRun(GalernaBuild own, GalernaBuild baseline) {
        this.own = own;
        this.baseline = baseline;
    }

    /** Checks that the jar can take part, before anything is measured. */
    static BaselineRun of(Path jar) {
        GalernaBuild baseline;
        try {
            baseline = GalernaBuild.baseline(jar);
        } catch (UnusableJarException unusable) {
            throw new UsageException("--baseline: " + unusable.getMessage());
        }
        GalernaBuild own =
                GalernaBuild.ownJar().orElseThrow(() -> new UsageException("--baseline works from galerna.jar only"));
        BaselineRun run = new BaselineRun(own, baseline);
        run.checkThatItAnswers();
        return run;
    }

    private void checkThatItAnswers() {
        try (Contender older = GalernaSystems.mpi(1).of(baseline).orElseThrow().start(MeasureCommand.PAIR)) {
            Object unused = older.run(new Command("ready", 0, 1, 0));
        } catch (ContenderException | IllegalArgumentException silent) {
            throw new UsageException(
                    "--baseline: " + baseline.classPath() + " cannot be measured: " + silent.getMessage());
        }
    }

    /** Version and place of the older build. */
    String version() {
        return baseline.describe();
    }

    /** Measures, prints the tables at the end, and says what a reader must know. */
    Suite.Outcome run(boolean quick, int repetitions, List<Task> tasks, PrintStream out) {
        Comparison comparison = quick
                ? new Comparison(own, baseline, QUICK_STARTS, QUICK_FURTHER_STARTS)
                : new Comparison(own, baseline, STARTS, FURTHER_STARTS);
        List<Task> paired = comparison.tasks(tasks);
        Suite.Outcome outcome;
        try (ProgressListener progress = new ProgressListener("comparison", comparison.rows(paired))) {
            Suite suite = quick
                    ? Suite.briskWithoutSingles(Math.min(repetitions, QUICK_REPETITIONS), progress)
                    : new Suite(false, repetitions, progress);
            outcome = comparison.run(suite, paired);
        }
        tables(outcome.results()).forEach(table -> out.println(TextTable.of(table)));
        out.println(sum(outcome.results()));
        out.flush();
        List<String> notes =
                new ArrayList<>(List.of("the baseline is " + baseline.classPath(), CoreDistance.describe()));
        notes.addAll(outcome.notes());
        return new Suite.Outcome(outcome.results(), notes);
    }

    /** One table for each benchmark, however many tasks it was. */
    private static Iterable<List<Result>> tables(List<Result> results) {
        record Key(String benchmark, int ranks, int window) {}
        Map<Key, List<Result>> tables = new LinkedHashMap<>();
        results.forEach(result -> tables.computeIfAbsent(
                        new Key(result.benchmark(), result.ranks(), result.window()), any -> new ArrayList<>())
                .add(result));
        tables.values().forEach(table -> table.sort(Comparator.comparing(Result::bytes)));
        return tables.values();
    }

    private static String sum(List<Result> results) {
        long compared = results.stream().filter(each -> each.baseline() != null).count();
        List<String> missing = missing(results);
        return count(results, Standing.AHEAD) + " of " + compared + " rows are better than the baseline, "
                + count(results, Standing.BEHIND) + " worse, the others about equal"
                + (missing.isEmpty() ? "" : "; only the baseline has " + String.join("; ", missing));
    }

    private static long count(List<Result> results, Standing standing) {
        return results.stream()
                .filter(each -> each.standing().filter(standing::equals).isPresent())
                .count();
    }

    /** Whether something was compared, no row is worse by more than its interval, and none is missing. */
    static boolean isNowhereWorse(List<Result> results) {
        return results.stream().anyMatch(each -> each.baseline() != null)
                && count(results, Standing.BEHIND) == 0
                && missing(results).isEmpty();
    }

    /** What the baseline can do, and this build has failed to do. */
    private static List<String> missing(List<Result> results) {
        return results.stream()
                .filter(each -> each.system().equals(GalernaBuild.BASELINE))
                .filter(older -> results.stream().noneMatch(each -> each.baseline() != null && isSameRow(each, older)))
                .map(older -> older.benchmark() + " of " + older.bytes() + " B, " + older.level())
                .toList();
    }

    private static boolean isSameRow(Result one, Result other) {
        return one.level().equals(other.level())
                && one.benchmark().equals(other.benchmark())
                && one.ranks() == other.ranks()
                && one.bytes() == other.bytes()
                && one.window() == other.window();
    }
}
