package org.galerna.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.bench.tune.Comparison.Verdict;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static Verdict verdict(double[] standard, double[] tuned) {
        return new Comparison(new Candidate("linear", standard), new Candidate("binomial", tuned)).verdict();
    }

    @Test
    void whatIsWithinTheNoiseIsLevel() {
        double[] quiet = {1.0, 1.0, 1.0, 1.01, 1.02};
        double[] noisy = {0.8, 0.9, 1.1, 1.5, 3.0};
        assertThat(verdict(quiet, quiet)).isEqualTo(Verdict.LEVEL);
        assertThat(verdict(quiet, noisy)).isEqualTo(Verdict.LEVEL);
        assertThat(verdict(noisy, quiet)).isEqualTo(Verdict.LEVEL);
        assertThat(verdict(quiet, new double[] {1.03, 1.03, 1.03, 1.04, 1.04})).isEqualTo(Verdict.LEVEL);
    }

    @Test
    void whatIsBeyondTheNoiseIsNot() {
        double[] quiet = {1.0, 1.0, 1.0, 1.01, 1.02};
        double[] quicker = {0.7, 0.7, 0.8, 0.9, 0.9};
        assertThat(verdict(quiet, quicker)).isEqualTo(Verdict.FASTER);
        assertThat(verdict(quicker, quiet)).isEqualTo(Verdict.SLOWER);
        assertThat(new Comparison(new Candidate("linear", quiet), new Candidate("binomial", quicker)))
                .hasToString("linear 1000000.00 µs, binomial 800000.00 µs, 1.25 times as fast: faster");
    }
}
