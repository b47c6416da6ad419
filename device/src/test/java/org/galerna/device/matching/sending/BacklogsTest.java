package org.galerna.device.matching.sending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long a rank sleeps between two looks for room. */
class BacklogsTest {
    @Test
    void whoWaitsForRoomInVainLooksLessAndLessOften() {
        Backlogs backlogs = new Backlogs();
        long slept = 0;
        int looks = 0;
        while (slept < 1_000_000_000) {
            long next = backlogs.nextSleep(1_000_000, 100_000_000);
            assertThat(next)
                    .as("at most twice as long as necessary")
                    .isBetween(1_000_000L, Math.max(2_000_000, slept + 2_000_000));
            slept += next;
            looks++;
        }
        assertThat(looks).as("in a second").isLessThan(20);
        assertThat(backlogs.nextSleep(1_000_000, 100_000_000)).isEqualTo(100_000_000);
    }

    @Test
    void theLongestSleepIsNotExceededHoweverLongItLasts() {
        Backlogs backlogs = new Backlogs();
        for (int each = 0; each < 1000; each++) {
            assertThat(backlogs.nextSleep(100_000, 1_000_000)).isBetween(100_000L, 1_000_000L);
        }
    }
}
