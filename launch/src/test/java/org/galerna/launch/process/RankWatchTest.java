package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.galerna.launch.rendezvous.Welcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankWatchTest {
    @ParameterizedTest
    @CsvSource({
        "2, true, 2, 200",
        "32, true, 2, 200",
        "64, true, 2, 400",
        "128, true, 2, 800",
        "4096, true, 2, 800",
        "4096, false, 2, 200", // elsewhere, for all that is known
        "4096, true, 4096, 200"
    })
    void itLooksLessOftenWhereAProcessorHasManyRanks(int ranks, boolean oneHost, int processors, long millis) {
        Welcome welcome = new Welcome("job", ranks, oneHost, List.of(), new BitSet(), Duration.ZERO);
        assertThat(Duration.ofNanos(RankWatch.periodNanos(welcome, processors)).toMillis())
                .isEqualTo(millis);
    }
}
