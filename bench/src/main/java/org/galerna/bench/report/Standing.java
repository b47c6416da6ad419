package org.galerna.bench.report;

import java.util.Locale;

/** How one system stands to another one of the same run, at the same size of the same benchmark. */
enum Standing {
    AHEAD,
    UNCLEAR,
    BEHIND;

    /** The name for style sheets and readers. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By the medians; unclear if one's median lies in the other's confidence interval. */
    static Standing of(Result one, Result other) {
        if (contains(one, other.median()) || contains(other, one.median())) {
            return UNCLEAR;
        }
        return one.median() > other.median() == one.unit().moreIsBetter() ? AHEAD : BEHIND;
    }

    private static boolean contains(Result result, double value) {
        return value == result.median() || (value >= result.lowerBound() && value <= result.upperBound());
    }
}
