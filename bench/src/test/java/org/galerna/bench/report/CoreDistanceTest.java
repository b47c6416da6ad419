package org.galerna.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.memory.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreDistanceTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0, 0, 0,   near each other: they share an L3 cache
            0, 0, 0, 1,   far from each other: they have different L3 caches
            0, 1, 0, 1,   far from each other: in two sockets
            0, 0, -1, -1, 'and the system does not tell whether they are near: look at the cache line'
            """)
    void whatTheCoresOfRanks0And1ShareIsSaid(int socket0, int socket1, int cache0, int cache1, String distance) {
        Topology topology = new Topology(List.of(
                new Topology.Core(0, List.of(0), socket0, 0, cache0, 0),
                new Topology.Core(1, List.of(1), socket1, 0, cache1, 1),
                new Topology.Core(2, List.of(2), 7, 0, 7, 2)));
        assertThat(CoreDistance.describe(topology)).isEqualTo("ranks 0 and 1 are on cores 0 and 1, " + distance);
    }

    @Test
    void oneCoreIsShared() {
        assertThat(CoreDistance.describe(Topology.uniform(1))).isEqualTo("ranks share the one core that there is");
    }
}
