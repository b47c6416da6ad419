package org.galerna.launch.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.galerna.launch.BindTo;
import org.galerna.memory.Topology;
import org.galerna.memory.Topology.Core;
import org.junit.jupiter.api.Test;

class PlacementTest {
    /** Four cores of two threads each, on two sockets. */
    private static final Topology MACHINE = new Topology(IntStream.range(0, 4)
            .mapToObj(core -> new Core(core, List.of(core, core + 4), core / 2, core / 2, core / 2 * 2, core))
            .toList());

    private static List<Integer> coresOf(Placement placement) {
        return placement.cores().stream().map(Core::id).toList();
    }

    @Test
    void eachRankGetsAWholeCoreNextToItsNeighbours() {
        Placement placement = Placement.choose(BindTo.AUTO, 3, MACHINE, 8, core -> true);
        assertThat(coresOf(placement)).containsExactly(0, 1, 2);
        assertThat(placement.report(0, 3))
                .startsWith("rank 0 is bound to processors 0,4 (a core of socket 0, NUMA node 0)")
                .endsWith("rank 2 is bound to processors 2,6 (a core of socket 1, NUMA node 1)");
    }

    @Test
    void coresOfOtherJobsAreLeftAlone() {
        Placement placement = Placement.choose(BindTo.AUTO, 2, MACHINE, 8, core -> core.id() % 2 == 1);
        assertThat(coresOf(placement)).containsExactly(1, 3);
        assertThat(Placement.choose(BindTo.AUTO, 3, MACHINE, 8, core -> core.id() % 2 == 1)
                        .report(0, 3))
                .hasSize(3)
                .contains("rank 2 is not bound: other jobs hold 2 of 4 cores");
    }

    @Test
    void ofItsOwnAccordNothingIsBoundWhereThatCouldHarm() {
        assertThat(Placement.choose(BindTo.AUTO, 5, MACHINE, 8, core -> true).report(0, 5))
                .contains("rank 0 is not bound: 5 ranks have 4 cores");
        assertThat(Placement.choose(BindTo.AUTO, 2, MACHINE, 4, core -> true).report(0, 2))
                .contains("rank 1 is not bound: this process gets the time of 4 of 8 processors, whichever they are");
        assertThat(Placement.choose(BindTo.AUTO, 1, MACHINE, 8, core -> true).isBound())
                .isFalse();
        assertThat(Placement.choose(BindTo.NONE, 2, MACHINE, 8, core -> true).isBound())
                .isFalse();
    }

    @Test
    void onDemandRanksShareCoresInTurn() {
        assertThat(coresOf(Placement.choose(BindTo.CORE, 6, MACHINE, 4, core -> true)))
                .containsExactly(0, 1, 2, 3, 0, 1);
        assertThat(coresOf(Placement.choose(BindTo.CORE, 3, MACHINE, 8, core -> core.id() != 1)))
                .as("free cores suffice")
                .containsExactly(0, 2, 3);
        assertThat(coresOf(Placement.choose(BindTo.CORE, 3, MACHINE, 8, core -> false)))
                .as("no core is free")
                .containsExactly(0, 1, 2);
        assertThat(coresOf(Placement.choose(BindTo.CORE, 1, MACHINE, 8, core -> true)))
                .containsExactly(0);
    }
}
