package org.galerna.bench.pingpong;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** One line for each size, with the median of each pair. */
final class BriefTable {
    private static final double NANOS_PER_MICRO = 1000;

    private final PrintStream out;

    BriefTable(PrintStream out) {
        this.out = out;
    }

    void printHead(List<Pair> pairs) {
        out.println("Ping-pong between two ranks, one way, median in microseconds:");
        out.printf("%10s", "bytes");
        pairs.forEach(pair -> out.printf("%14s", pair.name()));
        out.println();
    }

    void print(List<Latency> row) {
        out.printf("%10d", row.getFirst().length());
        row.forEach(each -> out.printf(Locale.ROOT, "%14.3f", each.median() / NANOS_PER_MICRO));
        out.println();
    }
}
