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
            ratios.add(one.get(round) / other.get(round));
        }
        return new Ratio(ratios.median(), ratios.lowerBound(), ratios.upperBound());
    }

    /** Whether the two may be equal, as far as the rounds can tell. */
    boolean isUnclear() {
        return lowerBound <= 1 && upperBound >= 1;
    }
}
