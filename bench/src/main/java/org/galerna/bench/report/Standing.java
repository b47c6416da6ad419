package org.galerna.bench.report;

import java.util.Locale;

/** How one system stands to another one of the same run, at the same size of the same benchmark. */
enum Standing {
    AHEAD,
    LEVEL,
    BEHIND;

    /** The name for style sheets and readers. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By the medians; level if the other's median lies in the confidence interval of this one, or the reverse. */
    static Standing of(Result one, Result other) {
        if (contains(one, other.median()) || contains(other, one.median())) {
            return LEVEL;
        }
        return one.median() > other.median() == one.unit().moreIsBetter() ? AHEAD : BEHIND;
    }

    private static boolean contains(Result result, double value) {
        return value == result.median() || (value >= result.lowerBound() && value <= result.upperBound());
    }
}
