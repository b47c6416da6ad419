package org.galerna.bench.tune;

import java.util.Locale;

/**
 * The times of two algorithms that were measured in turns.
 *
 * @param standard what the standard table chooses
 * @param tuned what another one does
 */
record Comparison(Candidate standard, Candidate tuned) {
    enum Verdict {
        FASTER,
        LEVEL,
        SLOWER
    }

    /**
     * Slower or faster is what is so beyond the noise: where the middle halves of the repetitions do not meet, and the
     * medians are at least a twentieth apart.
     */
    Verdict verdict() {
        if (isClearlyBelow(tuned, standard)) {
            return Verdict.FASTER;
        }
        return isClearlyBelow(standard, tuned) ? Verdict.SLOWER : Verdict.LEVEL;
    }

    private static boolean isClearlyBelow(Candidate one, Candidate other) {
        return one.upperQuartile() < other.lowerQuartile() && one.median() < 0.95 * other.median();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %.2f µs, %s %.2f µs, %.2f times as fast: %s",
                standard.algorithm(),
                standard.median() * 1e6,
                tuned.algorithm(),
                tuned.median() * 1e6,
                standard.median() / tuned.median(),
                verdict().name().toLowerCase(Locale.ROOT));
    }
}
