package org.galerna.bench.evaluation;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A ratio that a paper reports, and the same ratio here.
 *
 * @param paper where it stands
 * @param claim what is compared
 * @param published the ratio in the paper; more is better
 * @param measured the ratio here; empty if it cannot be had
 * @param how what was measured; or why it was not
 */
public record Headline(Paper paper, String claim, double published, OptionalDouble measured, String how) {
    private static final double ROUNDING = 0.005;

    /** With a value. */
    static Headline of(Paper paper, String claim, double published, double measured, String how) {
        return new Headline(paper, claim, published, OptionalDouble.of(measured), how);
    }

    /** Without one, and why. */
    static Headline missing(Paper paper, String claim, double published, String why) {
        return new Headline(paper, claim, published, OptionalDouble.empty(), why);
    }

    /** "met", "not met" or "-"; both ratios have two decimals. */
    public String verdict() {
        return measured.isEmpty() ? "-" : measured.getAsDouble() >= published - ROUNDING ? "met" : "not met";
    }

    /** The ratio of the paper as it is written. */
    public String publishedText() {
        return number(published);
    }

    /** The ratio here as it is written; "-" if there is none. */
    public String measuredText() {
        return measured.isEmpty() ? "-" : number(measured.getAsDouble());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** A row of the table. */
    String row() {
        return String.format(
                Locale.ROOT,
                " %-12s %-64s %6s %6s  %-8s %s%n",
                paper.word(),
                claim,
                publishedText(),
                measuredText(),
                verdict(),
                how);
    }
}
