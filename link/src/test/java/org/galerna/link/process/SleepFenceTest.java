package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.memory.Cpus;
import org.junit.jupiter.api.Test;

class SleepFenceTest {
    @Test
    void ranksWithProcessorsOfTheirOwnHaveTheCheapestLightSide() {
        assertThat(SleepFence.of(first(2))).isSameAs(ProcessFence.instance());
    }

    @Test
    void ranksThatCrowdTheProcessorsDoNotInterruptOthersWhenTheySleep() {
        Wireup crowd = first(5 * Cpus.ofMachine());
        assertThat(SleepFence.isFull(crowd)).isTrue();
        assertThat(SleepFence.of(crowd)).isNotSameAs(ProcessFence.instance());
    }

    @Test
    void fourRanksOfAProcessorAreNoCrowd() {
        assertThat(SleepFence.isCrowded(8, 2)).isFalse();
        assertThat(SleepFence.isCrowded(9, 2)).isTrue();
    }

    private static Wireup first(int ranks) {
        return InProcessWireup.create(ranks, (rank, status, reason) -> {}).getFirst();
    }
}
