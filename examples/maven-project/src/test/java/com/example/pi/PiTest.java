package com.example.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import mpi.Intracomm;
import org.galerna.junit.RanksTest;
import org.galerna.ranks.Ranks;
import org.junit.jupiter.api.Test;

class PiTest {
    @RanksTest(4)
    void everyRankHasPi(Intracomm world) {
        assertEquals(Math.PI, Pi.approximate(world, 10_000), 1e-6);
    }

    @Test
    void theNumberOfRanksMakesNoDifference() {
        for (int ranks = 1; ranks <= 4; ranks++) {
            List<Double> values = Ranks.of(ranks).call(world -> Pi.approximate(world, 1000));
            values.forEach(value -> assertEquals(3.141593, value, 1e-6));
        }
    }

    @Test
    void rank0PrintsPi() {
        var result = Ranks.of(4).captured().program(Pi.class, "1000000");
        assertEquals(List.of("pi = 3.141593"), result.output(0));
    }

    @Test
    void processesDoAsThreadsDo() {
        var result = Ranks.of(2).procs().captured().program(Pi.class, "1000000");
        assertEquals(List.of("pi = 3.141593"), result.output(0));
    }

    /** Fails on purpose if it is asked to: shows how a failure in one rank looks. */
    @RanksTest(4)
    void failsInRank2IfAsked(Intracomm world) {
        boolean fails = Boolean.getBoolean("fail");
        assertEquals(fails && world.Rank() == 2 ? 3 : 4, world.Size());
        world.Barrier();
    }
}
