package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.memory.Cpus;
import org.junit.jupiter.api.Test;

final class PaceTest {
    @Test
    void ranksThatShareCoresAreMeasuredForLonger() {
        int cores = Cpus.available();
        assertThat(Pace.CAREFUL.forRanks(cores)).isEqualTo(Pace.CAREFUL);
        Pace three = Pace.CAREFUL.forRanks(2 * cores + 1);
        assertThat(three.repetitionNanos()).isEqualTo(3 * Pace.CAREFUL.repetitionNanos());
        assertThat(three.settleNanos()).isEqualTo(Pace.CAREFUL.settleNanos());
        assertThat(three.lullNanos()).isPositive();
        assertThat(three.warmUpNanos()).isEqualTo(3 * Pace.CAREFUL.warmUpNanos());
        Pace sixteen = Pace.CAREFUL.forRanks(16 * cores);
        assertThat(sixteen.settleNanos()).isEqualTo(sixteen.repetitionNanos());
        assertThat(sixteen.warmUpNanos()).isEqualTo(4 * Pace.CAREFUL.warmUpNanos());
    }
}
