package org.galerna.bench.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfianTest {
    private static final int RANKS = 1000;
    private static final int DRAWS = 1_000_000;

    @Test
    void ranksAreDrawnAsOftenAsTheirProbabilitySays() {
        Zipfian zipfian = new Zipfian(RANKS);
        int[] drawn = new int[RANKS];
        SplittableRandom random = new SplittableRandom(7);
        for (int each = 0; each < DRAWS; each++) {
            drawn[zipfian.next(random)]++;
        }
        assertThat(IntStream.range(0, RANKS).mapToDouble(zipfian::probability).sum())
                .isCloseTo(1, within(1e-9));
        for (int rank : new int[] {0, 1}) { // exact
            assertThat((double) drawn[rank] / DRAWS).isCloseTo(zipfian.probability(rank), within(0.002));
        }
        // the rest approximately: compare shares of whole ranges
        for (int end : new int[] {10, 100, 500}) {
            double expected =
                    IntStream.range(0, end).mapToDouble(zipfian::probability).sum();
            double share =
                    (double) IntStream.range(0, end).map(rank -> drawn[rank]).sum() / DRAWS;
            assertThat(share).isCloseTo(expected, within(0.03));
        }
        assertThat(drawn[RANKS - 1]).isPositive();
    }
}
