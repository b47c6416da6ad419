package org.galerna.bench.evaluation;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A ratio that a paper reports, and the same ratio here.
 *
 * @param paper its short name
 * @param claim what is compared
 * @param published the ratio in the paper; more is better
 * @param measured the ratio here; empty if it cannot be had
 * @param how what was measured; or why it was not
 */
public record Headline(String paper, String claim, double published, OptionalDouble measured, String how) {
    /** With a value. */
    static Headline of(String paper, String claim, double published, double measured, String how) {
        return new Headline(paper, claim, published, OptionalDouble.of(measured), how);
    }

    /** Without one, and why. */
    static Headline missing(String paper, String claim, double published, String why) {
        return new Headline(paper, claim, published, OptionalDouble.empty(), why);
    }

    /** "met", "not met" or "-". */
    public String verdict() {
        return measured.isEmpty() ? "-" : measured.getAsDouble() >= published ? "met" : "not met";
    }

    /** A row of the table. */
    String row() {
        String value = measured.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", measured.getAsDouble());
        return String.format(
                Locale.ROOT, " %-7s %-52s %8.2f %8s  %-8s %s%n", paper, claim, published, value, verdict(), how);
    }
}
