package org.galerna.bench.messaging;

import java.util.random.RandomGenerator;

/**
 * Numbers of which few are drawn often: the n-th most frequent one with a probability in proportion to 1/n to the power of
 * {@value #SKEW}, as requests to stores are. By inversion of an approximate distribution (Gray et al., "Quickly generating
 * billion-record synthetic databases", 1994). Any number of threads, each with a generator of its own.
 */
final class Zipfian {
    /** That of the benchmarks of cloud stores (Cooper et al. 2010). */
    private static final double SKEW = 0.99;

    private final int count;
    private final double sum;
    private final double sumOfTwo;
    private final double exponent;
    private final double scale;

    /** Ranks from 0 to so many less one. */
    Zipfian(int count) {
        if (count < 2) {
            throw new IllegalArgumentException("at least two ranks, not " + count);
        }
        this.count = count;
        this.sum = sum(count);
        this.sumOfTwo = sum(2);
        this.exponent = 1 / (1 - SKEW);
        this.scale = (1 - Math.pow(2.0 / count, 1 - SKEW)) / (1 - sumOfTwo / sum);
    }

    private static double sum(int terms) {
        double sum = 0;
        for (int each = 1; each <= terms; each++) {
            sum += Math.pow(each, -SKEW);
        }
        return sum;
    }

    /** Probability of a rank. */
    double probability(int rank) {
        return Math.pow(rank + 1, -SKEW) / sum;
    }

    /** Draws a rank; 0 is the most frequent one. */
    int next(RandomGenerator random) {
        double drawn = random.nextDouble();
        double share = drawn * sum;
        if (share < 1) {
            return 0;
        }
        if (share < sumOfTwo) {
            return 1;
        }
        return Math.min(count - 1, (int) (count * Math.pow(scale * drawn - scale + 1, exponent)));
    }
}
