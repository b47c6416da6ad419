package org.galerna.bench.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.galerna.collectives.algorithm.Operation;

/**
 * The candidates for one operation, number of ranks and size.
 *
 * @param bytes as the table counts them
 * @param standard name of the algorithm that the standard table has
 */
record Finding(Operation operation, int ranks, long bytes, String standard, List<Candidate> candidates) {
    /** What another algorithm's median must be below, as a share of the standard one's. */
    private static final double CLEARLY = 0.9;

    /**
     * The algorithm to use: the fastest, if it is faster than the standard one beyond doubt, or else the standard one. So
     * noise does not change a table.
     */
    String choice() {
        Candidate present = candidates.stream()
                .filter(each -> each.algorithm().equals(standard))
                .findFirst()
                .orElseThrow();
        Candidate best = present;
        for (Candidate each : candidates) {
            boolean clearly = each.median() < CLEARLY * present.median() && each.upperQuartile() < present.median();
            if (clearly && each.median() < best.median()) {
                best = each;
            }
        }
        return best.algorithm();
    }

    /** Where nothing but one algorithm is in question. */
    static Finding unmeasured(Operation operation, int ranks, long bytes, String algorithm) {
        return new Finding(operation, ranks, bytes, algorithm, List.of(new Candidate(algorithm, new double[1])));
    }

    /** How many times as long the standard algorithm takes as the chosen one, by their medians. */
    double gain() {
        return median(standard) / median(choice());
    }

    private double median(String algorithm) {
        return candidates.stream()
                .filter(each -> each.algorithm().equals(algorithm))
                .findFirst()
                .orElseThrow()
                .median();
    }

    /** The medians, the shortest first, and what follows from them. */
    @Override
    public String toString() {
        StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "%-14s %3d ranks %9d B:", operation, ranks, bytes));
        candidates.stream()
                .sorted(Comparator.comparingDouble(Candidate::median))
                .forEach(each ->
                        line.append(String.format(Locale.ROOT, " %s %.2f µs", each.algorithm(), each.median() * 1e6)));
        return line.append(
                        choice().equals(standard)
                                ? "; " + standard + " stays"
                                : String.format(
                                        Locale.ROOT,
                                        "; %s instead of %s, %.2f times as fast",
                                        choice(),
                                        standard,
                                        gain()))
                .toString();
    }
}
