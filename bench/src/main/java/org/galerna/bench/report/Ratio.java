package org.galerna.bench.report;

import java.util.List;

/**
 * How many times as much one system found as another one. Each round of a run is compared by itself: what a machine does to
 * both for a while, such as moving two virtual processors apart, is then in neither's favour, as it would be if the middle of
 * all rounds of one were divided by the middle of those of the other.
 *
 * @param median the ratio in the middle of those of the rounds
 * @param lowerBound lower end of the median's 95 % confidence interval
 * @param upperBound upper end of the median's 95 % confidence interval
 */
public record Ratio(double median, double lowerBound, double upperBound) {
    /** By rounds, or by medians and intervals where rounds were not kept or one of the two has missed some. */
    public static Ratio of(Result one, Result other) {
        if (one.rounds().size() == other.rounds().size() && !one.rounds().isEmpty()) {
            return of(one.rounds(), other.rounds());
        }
        return new Ratio(
                one.median() / other.median(),
                Math.min(one.lowerBound() / other.median(), one.median() / other.upperBound()),
                Math.max(one.upperBound() / other.median(), one.median() / other.lowerBound()));
    }

    /** By rounds, of which both have made the same number, at least one. */
    public static Ratio of(Samples one, Samples other) {
        return of(one.values(), other.values());
    }

    private static Ratio of(List<Double> one, List<Double> other) {
        Samples ratios = new Samples();
        for (int round = 0; round < one.size(); round++) {
            ratios.add(quotient(one.get(round), other.get(round)));
        }
        return new Ratio(ratios.median(), ratios.lowerBound(), ratios.upperBound());
    }

    private static double quotient(double one, double other) {
        return one == other ? 1 : one / other; // of two zeros, too
    }

    /**
     * By several starts of the same two systems, each of which counts once: how fast a process is depends on how it is
     * compiled and where its memory lies, which repetitions in the same process do not show. The middle of the starts' own
     * ratios, and what order statistics say of them: of fewer than nine starts the interval reaches from the smallest ratio to
     * the largest.
     *
     * @param ratios those of the starts, at least one
     */
    public static Ratio ofStarts(List<Ratio> ratios) {
        if (ratios.size() == 1) {
            return ratios.getFirst();
        }
        Samples medians = new Samples();
        ratios.forEach(ratio -> medians.add(ratio.median()));
        return new Ratio(medians.median(), medians.lowerBound(), medians.upperBound());
    }

    /** Whether the two may be equal, as far as the rounds can tell. */
    boolean isUnclear() {
        return lowerBound <= 1 && upperBound >= 1;
    }
}
