package org.galerna.bench.demo;

import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.galerna.bench.fdtd.RunSummary;

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
}
