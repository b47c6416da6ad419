package org.galerna.memory.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.memory.Cpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleStrategyTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 3", "5, 0", "100, 40"})
    void pausesForItsSpinsAndYieldsAndThenWantsSleep(int spins, int yields) {
        IdleStrategy waiting = IdleStrategy.spinThenYield(spins, yields);
        for (int round = 0; round < spins + yields; round++) {
            assertThat(waiting.pause(round)).as("round %s", round).isTrue();
        }
        assertThat(waiting.pause(spins + yields)).isFalse();
        assertThat(waiting.pause(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void looksLongBeforeItSleepsUnlessTheProcessorIsWanted() {
        IdleStrategy waiting = IdleStrategy.adaptive(2, 2);
        int late = waiting.spins() + 2000;
        assertThat(waiting.pause(late)).isTrue();
        for (int turn = 0; turn < 8; turn++) {
            waiting.yielded(100_000);
        }
        assertThat(waiting.pause(late)).isFalse();
        assertThat(waiting.pause(waiting.spins() + 200)).isTrue();
        waiting.over(late);
        assertThat(waiting.pause(late)).as("the next wait").isTrue();
    }

    @Test
    void hardlySpinsWhereThereAreMoreRanksThanProcessors() {
        int processors = Cpus.available();
        assertThat(processors).isPositive();
        IdleStrategy alone = IdleStrategy.adaptive(processors);
        IdleStrategy crowded = IdleStrategy.adaptive(processors + 1);
        assertThat(crowded.spins()).isLessThan(alone.spins() / 10);
        assertThat(crowded.pause(crowded.spins())).as("yields").isTrue();
    }

    @Test
    void yieldsAtOnceWhereManyRanksShareAProcessor() {
        assertThat(IdleStrategy.adaptive(4, 2).spins()).isPositive();
        IdleStrategy crowded = IdleStrategy.adaptive(5, 2);
        for (int wait = 0; wait < 100; wait++) {
            assertThat(crowded.spins()).as("spins").isZero();
            assertThat(crowded.pause(0)).as("yields").isTrue();
            crowded.over(1);
        }
    }

    @Test
    void spinsLessWhenAnswersComeAsSoonAsSomebodyElseHasHadTheProcessor() {
        IdleStrategy waiting = IdleStrategy.spinThenYield(500, 300);
        for (int wait = 0; wait < 10; wait++) {
            yieldOnce(waiting, 5_000);
        }
        assertThat(waiting.spins()).isEqualTo(20);
    }

    private static void yieldOnce(IdleStrategy waiting, long nanos) {
        waiting.yielded(nanos);
        waiting.over(waiting.spins() + 1);
    }

    @Test
    void spinsOnWhenNobodyElseWantedTheProcessor() {
        IdleStrategy waiting = IdleStrategy.spinThenYield(500, 300);
        for (int wait = 0; wait < 10; wait++) {
            yieldOnce(waiting, 300);
        }
        assertThat(waiting.spins()).isEqualTo(500);
    }

    @Test
    void spinsOnWhenAnswersTakeLong() {
        IdleStrategy waiting = IdleStrategy.spinThenYield(500, 300);
        for (int wait = 0; wait < 10; wait++) {
            waiting.over(waiting.spins() + 200);
        }
        assertThat(waiting.spins()).isEqualTo(500);
    }

    @Test
    void triesAgainNowAndThenWhetherSpinningPays() {
        IdleStrategy waiting = IdleStrategy.spinThenYield(500, 300);
        int tries = 0;
        for (int wait = 0; wait < 640; wait++) {
            yieldOnce(waiting, 5_000);
            if (wait > 10 && waiting.spins() == 500) {
                tries++;
            }
        }
        assertThat(tries).isBetween(5, 15);
    }

    @Test
    void spinsInFullAgainOnceAnAnswerComesWhileSpinning() {
        IdleStrategy waiting = IdleStrategy.spinThenYield(500, 300);
        yieldOnce(waiting, 5_000);
        assertThat(waiting.spins()).isEqualTo(250);
        waiting.over(100);
        assertThat(waiting.spins()).isEqualTo(500);
    }
}
