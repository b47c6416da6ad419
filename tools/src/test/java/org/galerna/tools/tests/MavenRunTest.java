package org.galerna.tools.tests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How Maven is started. */
class MavenRunTest {
    @Test
    void aShortRunOfMavenHasACollectorWithoutThreads() {
        assertThat(MavenRun.forShortRuns("-XX:TieredStopAtLevel=1 -XX:+UseParallelGC -Xmx1g"))
                .isEqualTo("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g");
        assertThat(MavenRun.forShortRuns("-XX:+UseZGC")).isEqualTo("-XX:+UseZGC");
    }
}
