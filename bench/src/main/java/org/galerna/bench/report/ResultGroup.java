package org.galerna.bench.report;

import java.util.Locale;

/**
 * What is drawn in one chart: one benchmark with the same ranks and window, at all sizes, of all systems.
 *
 * @param benchmark its name
 * @param ranks how many took part
 * @param window messages in flight; 0 where there is none
 * @param unit of its values
 */
record ResultGroup(String benchmark, int ranks, int window, Unit unit) {
    static ResultGroup of(Result result) {
        return new ResultGroup(result.benchmark(), result.ranks(), result.window(), result.unit());
    }

    /** Such as "Allreduce". */
    String title() {
        return benchmark.isEmpty()
                ? "Unnamed"
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
