package org.galerna.bench.pingpong;

import java.io.PrintStream;
import java.util.Locale;

/** Latencies as a table, a line per pair and size. */
final class LatencyTable {
    private static final double NANOS_PER_MICRO = 1000;

    private final PrintStream out;

    LatencyTable(PrintStream out) {
        this.out = out;
    }

    void printHead() {
        out.println("one way, microseconds: best and median of batches; percentiles of single exchanges");
        out.printf(
                Locale.ROOT,
                "%10s  %-10s %10s %10s %10s %10s %10s %10s %10s %8s%n",
                "bytes",
                "",
                "best",
                "median",
                "50 %",
                "95 %",
                "99 %",
                "99.9 %",
                "max",
                "GB/s");
    }

    void print(Latency row) {
        out.printf(
                Locale.ROOT,
                "%10d  %-10s %10.3f %10.3f %10.3f %10.3f %10.3f %10.3f %10.3f %8.3f%n",
                row.length(),
                row.pair(),
                row.best() / NANOS_PER_MICRO,
                row.median() / NANOS_PER_MICRO,
                row.percentile(50) / NANOS_PER_MICRO,
                row.percentile(95) / NANOS_PER_MICRO,
                row.percentile(99) / NANOS_PER_MICRO,
                row.percentile(99.9) / NANOS_PER_MICRO,
                row.slowest() / NANOS_PER_MICRO,
                row.gigabytesPerSecond());
    }
}
