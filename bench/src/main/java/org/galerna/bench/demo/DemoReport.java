package org.galerna.bench.demo;

import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.galerna.applications.fdtd.RunSummary;
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

    /**
     * What is to be known about the speed-ups: which runs had to share processors, and why more ranks took longer.
     *
     * @param processors that the ranks may run on; 0 if that is not known, since they are on other hosts
     */
    static String notes(List<CheckedRun> runs, int processors) {
        StringBuilder text = new StringBuilder();
        List<RunSummary> summaries = runs.stream()
                .map(CheckedRun::summary)
                .sorted(Comparator.comparingInt(RunSummary::ranks))
                .toList();
        String sharing = ranks(summaries.stream()
                .filter(run -> processors > 0 && run.ranks() > processors)
                .toList());
        if (!sharing.isEmpty()) {
            text.append("note: ").append(sharing).append(" share ").append(processors);
            text.append(processors == 1 ? " processor" : " processors");
            text.append(", so they cannot be faster than ").append(processors).append('\n');
        }
        double base = summaries.getFirst().seconds();
        String slower = ranks(summaries.stream()
                .filter(run -> run.seconds() > base && !(processors > 0 && run.ranks() > processors))
                .toList());
        if (!slower.isEmpty()) {
            text.append("note: ").append(slower);
            text.append(" took longer than ").append(summaries.getFirst().ranks());
            text.append(": other programs were busy on this machine, or there is too little work for each rank\n");
        }
        return text.toString();
    }

    /** {@code 4 ranks}, or {@code 4 and 8 ranks}; empty if there is none. */
    private static String ranks(List<RunSummary> runs) {
        return runs.isEmpty()
                ? ""
                : runs.stream()
                        .map(run -> Integer.toString(run.ranks()))
                        .collect(Collectors.joining(" and ", "", " ranks"));
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
