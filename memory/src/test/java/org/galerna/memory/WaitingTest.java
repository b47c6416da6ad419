package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 3", "5, 0", "100, 40"})
    void pausesForItsSpinsAndYieldsAndThenWantsSleep(int spins, int yields) {
        Waiting waiting = new Waiting(spins, yields);
        for (int round = 0; round < spins + yields; round++) {
            assertThat(waiting.pause(round)).as("round %s", round).isTrue();
        }
        assertThat(waiting.pause(spins + yields)).isFalse();
        assertThat(waiting.pause(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void hardlySpinsWhereThereAreMoreRanksThanProcessors() {
        int processors = Cpus.available();
        assertThat(processors).isPositive();
        Waiting alone = Waiting.forRanks(processors);
        Waiting crowded = Waiting.forRanks(processors + 1);
        assertThat(crowded.spins()).isLessThan(alone.spins() / 10);
        assertThat(crowded.yields()).isPositive();
    }
}
