package org.galerna.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilePageTest {
    @ParameterizedTest
    @CsvSource({"1.84, 0.5", "1.6, 0.2", "14.2, 2", "0.0008, 0.0001", "8, 1", "8.1, 2", "3600, 500"})
    void ticksAreAtRoundTimes(double seconds, double step) {
        assertThat(TimelineChart.roundStep(seconds)).isCloseTo(step, within(step / 1e6));
    }

    @Test
    void aRunWithoutTimeHasTicksToo() {
        assertThat(TimelineChart.roundStep(0)).isPositive();
    }

    @Test
    void longNamesBreakBehindTheirDotsOnly() {
        assertThat(ProfilePage.breakable("Recv at org.example.Solver.<init>:12, 1.84 s. Send earlier"))
                .isEqualTo("Recv at org.<wbr>example.<wbr>Solver.&lt;init&gt;:12, 1.84 s. Send earlier");
    }
}
