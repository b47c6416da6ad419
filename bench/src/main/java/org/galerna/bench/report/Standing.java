package org.galerna.bench.report;

import java.util.Locale;

/** How one system stands to another one of the same run, at the same size of the same benchmark. */
public enum Standing {
    /** Better by more than the interval of the ratio. */
    AHEAD,
    /** The interval of the ratio contains 1. */
    UNCLEAR,
    /** Worse by more than the interval of the ratio. */
    BEHIND;

    /** The name for style sheets and readers. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By the ratio of the two; unclear if its interval contains 1. */
    static Standing of(Result one, Result other) {
        return of(Ratio.of(one, other), one.unit());
    }

    /** By a ratio of values that count this. */
    static Standing of(Ratio ratio, Unit unit) {
        if (ratio.isUnclear()) {
            return UNCLEAR;
        }
        return ratio.median() > 1 == unit.moreIsBetter() ? AHEAD : BEHIND;
    }
}
