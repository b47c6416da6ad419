package org.galerna.tools.tests;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a run says at its end. The sum is the last line. */
final class Summary {
    /** For all failures together, so that the end of a long log shows them. */
    private static final int LINES = 120;

    private static final int FEWEST_LINES = 6;
    private static final int MOST_LINES = 45;

    private final Reports reports;
    private final PrintStream out;
    private List<String> forbidden = List.of();
    private int passed;
    private int failed;

    Summary(Reports reports, PrintStream out) {
        this.reports = reports;
        this.out = out;
        this.passed = reports.passed();
        this.failed = reports.failed();
    }

    /** Adds the results of the stress tests. */
    void add(StressTests stress) {
        passed += stress.passed();
        failed += stress.failed();
        forbidden = stress.forbidden();
    }

    /** Each failed test with its message and where it happened. */
    void printFailures() {
        if (failed == 0) {
            return;
        }
        out.println("Failed:");
        int lines = Math.clamp(LINES / failed, FEWEST_LINES, MOST_LINES);
        reports.failures().forEach(failure -> failure.lines(lines).forEach(out::println));
        forbidden.forEach(out::println);
    }

    /** Something else that failed, and counts as one test. */
    void addFailure(String title, List<String> lines) {
        out.println(title);
        lines.forEach(out::println);
        failed++;
    }

    /** A run of no test shows nothing. */
    void failIfNothingWasRun() {
        if (passed + failed == 0) {
            out.println("No test was run, which counts as a failure.");
            failed = 1;
        }
    }

    /** Prints the rest; returns the status of the run. */
    int print() {
        if (!reports.unsteady().isEmpty()) {
            out.println("Failed, and passed when run once more:");
            reports.unsteady().forEach(each -> each.summary().forEach(out::println));
        }
        String sum = passed + " passed, " + failed + " failed";
        if (reports.skipped() > 0) {
            out.println("Skipped:");
            Map<String, Long> reasons = reports.reasons().stream()
                    .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
            reasons.forEach((reason, count) -> out.println(String.format("%7d   %s", count, reason)));
            sum += ", " + reports.skipped() + " skipped";
        }
        out.println(sum);
        out.flush();
        return failed == 0 ? 0 : 1;
    }
}
