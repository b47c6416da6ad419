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

    /** By the ratio of the two; unclear if its interval contains 1. */
    static Standing of(Result one, Result other) {
        Ratio ratio = Ratio.of(one, other);
        if (ratio.isUnclear()) {
            return UNCLEAR;
        }
        return ratio.median() > 1 == one.unit().moreIsBetter() ? AHEAD : BEHIND;
    }
}
