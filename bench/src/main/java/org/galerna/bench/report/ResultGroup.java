package org.galerna.bench.report;

import java.util.Locale;
import java.util.Map;

/**
 * What is drawn in one chart: one benchmark with the same ranks and window, at all sizes, of all systems.
 *
 * @param benchmark its name
 * @param ranks how many took part
 * @param window messages in flight; 0 where there is none
 * @param unit of its values
 */
record ResultGroup(String benchmark, int ranks, int window, Unit unit) {
    /** Of benchmarks whose short name is no word. */
    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("bibandwidth", "Bandwidth, both ways at once"),
            Map.entry("rate", "Message rate"),
            Map.entry("bcast", "Broadcast"),
            Map.entry("reducescatter", "Reduce-scatter"),
            Map.entry("echo", "Sockets: round trip"),
            Map.entry("stream", "Sockets: stream of writes"),
            Map.entry("arrays-echo-d", "Sockets: round trip of double[]"),
            Map.entry("arrays-d", "Sockets: stream of double[]"),
            Map.entry("objects-d", "Sockets: stream of double[] as objects"),
            Map.entry("connect", "Sockets: connect, one byte to and fro, close"),
            Map.entry("allocation", "Memory allocated for a message"),
            Map.entry("resident", "Resident memory"));

    static ResultGroup of(Result result) {
        return new ResultGroup(result.benchmark(), result.ranks(), result.window(), result.unit());
    }

    /** Such as "Allreduce". */
    String title() {
        String known = TITLES.get(benchmark);
        if (known != null) {
            return known;
        }
        boolean beginsWithType = benchmark.matches("\\w+\\[].*");
        return benchmark.isEmpty()
                ? "Unnamed"
                : beginsWithType
                        ? benchmark
                        : benchmark.substring(0, 1).toUpperCase(Locale.ROOT) + benchmark.substring(1);
    }

    /** Such as "2 ranks, window 64". */
    String setting() {
        return ranks + (ranks == 1 ? " rank" : " ranks") + (window > 0 ? ", window " + window : "");
    }

    /** What the values are, and which are good. */
    String meaning() {
        return unit.symbol() + ", " + (unit.moreIsBetter() ? "higher" : "lower") + " is better";
    }
}
