package org.galerna.bench.tune;

import java.util.List;
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

    /** Whether it is about this operation, number of ranks and size. */
    boolean isOf(Operation otherOperation, int otherRanks, long otherBytes) {
        return operation == otherOperation && ranks == otherRanks && bytes == otherBytes;
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
}
