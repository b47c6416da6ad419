package org.galerna.bench.pingpong;

import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The ratios that a run is judged by. */
final class Summary {
    private Summary() {}

    static void print(List<Latency> latencies, List<Double> rates, Map<Integer, Double> allocations, PrintStream out) {
        out.println();
        ratio(latencies, 1, "cache line", "times the cache line", out);
        ratio(latencies, 1, "unix", "times the UNIX socket", out);
        ratio(latencies, 1, "tcp", "times TCP", out);
        find(latencies, "mpi", 1 << 20)
                .ifPresent(mpi -> find(latencies, "array copy", 1 << 20)
                        .ifPresent(copy -> out.printf(
                                Locale.ROOT,
                                "1 MiB: mpi moves %.2f times the bytes of one thread's array copy (best %.2f)%n",
                                copy.median() / mpi.median(),
                                copy.best() / mpi.best())));
        List<Double> sorted = rates.stream().sorted().toList();
        out.printf(
                Locale.ROOT,
                "8 B: %.1f million messages a second (best %.1f)%n",
                sorted.get(sorted.size() / 2),
                Collections.max(rates));
        allocations.forEach((length, bytes) ->
                out.printf(Locale.ROOT, "%d B: %.2f bytes allocated for each blocking message%n", length, bytes));
    }

    private static void ratio(List<Latency> latencies, int length, String other, String words, PrintStream out) {
        Optional<Latency> mpi = find(latencies, "mpi", length);
        Optional<Latency> peer = find(latencies, other, length);
        if (mpi.isPresent() && peer.isPresent()) {
            out.printf(
                    Locale.ROOT,
                    "%d B: mpi takes %.2f %s (best %.2f)%n",
                    length,
                    mpi.get().median() / peer.get().median(),
                    words,
                    mpi.get().best() / peer.get().best());
        }
    }

    private static Optional<Latency> find(List<Latency> latencies, String pair, int length) {
        return latencies.stream()
                .filter(each -> each.pair().equals(pair) && each.length() == length)
                .findFirst();
    }
}
