package org.galerna.bench.demo;

import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.galerna.bench.fdtd.RunSummary;
import org.galerna.bench.report.Result;
import org.galerna.bench.suite.Suite;

/** The table of the demonstration as text. */
final class DemoReport {
    private DemoReport() {}

    /**
     * Time, speed-up, traffic and verdict of every run.
     *
     * @param sequentialSeconds time of the sequential solver
     * @param runs at least one; speed-ups are relative to the run on the fewest ranks
     */
    static String runs(double sequentialSeconds, List<CheckedRun> runs) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format(" ranks   tiles   time [s]   speed-up   messages   data [MB]   equal to the sequential result%n");
        text.format("%6s   %5s   %8.2f   (the sequential solver)%n", "-", "-", sequentialSeconds);
        double base = runs.stream()
                .map(CheckedRun::summary)
                .min(Comparator.comparingInt(RunSummary::ranks))
                .orElseThrow()
                .seconds();
        for (CheckedRun run : runs) {
            RunSummary summary = run.summary();
            text.format(
                    "%6d   %5s   %8.2f   %8.2f   %8d   %9.1f   %s%n",
                    summary.ranks(),
                    summary.columns() + "x" + summary.rows(),
                    summary.seconds(),
                    base / summary.seconds(),
                    summary.messages(),
                    summary.bytes() / 1e6,
                    run.difference().map(where -> "NO: " + where).orElse("yes, bit for bit"));
        }
        return text.toString();
    }

    /** One line for each size, with the median of each system; then what could not be measured. */
    static String latencies(Suite.Outcome outcome) {
        Formatter text = new Formatter(Locale.ROOT);
        List<String> systems =
                outcome.results().stream().map(Result::name).distinct().toList();
        text.format("Ping-pong between two ranks, one way, median in microseconds:%n%10s", "bytes");
        systems.forEach(system -> text.format("%14s", system));
        text.format("%n");
        outcome.results().stream().map(Result::bytes).distinct().forEach(bytes -> {
            text.format("%10d", bytes);
            systems.forEach(system -> text.format(
                    "%14s",
                    outcome.results().stream()
                            .filter(result ->
                                    result.bytes() == bytes && result.name().equals(system))
                            .map(result -> String.format(Locale.ROOT, "%.3f", result.median()))
                            .findFirst()
                            .orElse("-")));
            text.format("%n");
        });
        outcome.notes().forEach(note -> text.format("note: %s%n", note));
        return text.toString();
    }
}
