package org.galerna.bench.tune;

import java.util.Arrays;

/**
 * What an algorithm took for one operation, number of ranks and size.
 *
 * @param algorithm its name
 * @param seconds of one call on the slowest rank, in each repetition
 * @param calls that follow each other in a repetition
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Candidate(String algorithm, double[] seconds, int calls) {
    Candidate(String algorithm, double[] seconds) {
        this(algorithm, seconds, 1);
    }

    double median() {
        return quantile(0.5);
    }

    /** Above which a quarter of the repetitions lie. */
    double upperQuartile() {
        return quantile(0.75);
    }

    /** Below which a quarter of the repetitions lie. */
    double lowerQuartile() {
        return quantile(0.25);
    }

    private double quantile(double share) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.floor(share * (sorted.length - 1))];
    }
}
