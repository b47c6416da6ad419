package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {
    /** Ranks of the interval's ends as in tables of the sign test, for 95 %. */
    @ParameterizedTest
    @CsvSource({
        "1,0", "5,0", "6,0", "8,0", "9,1", "10,1", "12,2", "15,3", "20,5", "25,7", "30,9", "40,13", "50,17", "100,39"
    })
    void theIntervalLeavesOutAsManyValuesAsTheTablesSay(int count, int excluded) {
        assertThat(Samples.excluded(count)).isEqualTo(excluded);
    }

    @Test
    void manyValuesAreNoProblem() {
        // the normal approximation: n / 2 - 0.98 sqrt(n)
        assertThat(Samples.excluded(10_000)).isBetween(4899, 4903);
    }

    @Test
    void valuesAreSummedUp() {
        Samples samples = new Samples();
        for (double value : new double[] {7, 1, 10, 3, 9, 5, 4, 2, 8, 6}) {
            samples.add(value);
        }
        assertThat(samples.count()).isEqualTo(10);
        assertThat(samples.least()).isEqualTo(1);
        assertThat(samples.greatest()).isEqualTo(10);
        assertThat(samples.median()).isEqualTo(5.5);
        assertThat(samples.lowerBound()).isEqualTo(2);
        assertThat(samples.upperBound()).isEqualTo(9);
    }

    @Test
    void theMedianOfAnOddNumberIsTheValueInTheMiddle() {
        Samples samples = new Samples();
        samples.add(3);
        samples.add(100);
        samples.add(1);
        assertThat(samples.median()).isEqualTo(3);
        assertThat(samples.lowerBound()).isEqualTo(1);
        assertThat(samples.upperBound()).isEqualTo(100);
    }

    /** The promise itself: of many intervals, 95 % and not many more hold the true median. */
    @Test
    void theIntervalHoldsTheTrueMedianAsOftenAsItSays() {
        Random random = new Random(20260301);
        int runs = 20_000;
        int hits = 0;
        for (int run = 0; run < runs; run++) {
            Samples samples = new Samples();
            for (int each = 0; each < 20; each++) {
                // skewed, with its median at ln 2
                samples.add(-Math.log(1 - random.nextDouble()));
            }
            if (samples.lowerBound() <= Math.log(2) && Math.log(2) <= samples.upperBound()) {
                hits++;
            }
        }
        assertThat((double) hits / runs).isBetween(0.95, 0.975);
    }
}
