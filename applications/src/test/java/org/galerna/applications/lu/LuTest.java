package org.galerna.applications.lu;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.applications.ProgramRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LuTest {
    /** Orders that blocks do and do not divide, blocks larger than the matrix, grids of every shape. */
    @ParameterizedTest
    @CsvSource({
        "1,1,64,1x1",
        "1,100,16,1x1",
        "2,101,16,2x1",
        "2,96,32,1x2",
        "4,130,32,2x2",
        "6,75,8,2x3",
        "6,75,8,3x2",
        "4,20,64,2x2"
    })
    void theSolutionHasASmallResidual(int ranks, String order, String block, String grid) {
        ProgramRun run = ProgramRun.of(Lu.class, ranks, "--order", order, "--block", block, "--grid", grid);
        assertThat(run.status()).as("%s%s", run.output(), run.errors()).isZero();
        assertThat(run.output()).startsWith("order " + order).contains("PASSED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2x2", "4x1", "0x2", "axb", "2", "x"})
    void aWrongGridIsOneLine(String grid) {
        ProgramRun run = ProgramRun.of(Lu.class, 2, "--grid", grid);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors())
                .isEqualTo("lu: --grid takes ROWSxCOLUMNS with a product of 2, the number of ranks, not " + grid
                        + System.lineSeparator());
    }

    @Test
    void aWarmUpLeavesTheSystemAsItIs() {
        ProgramRun run = ProgramRun.of(Lu.class, 2, "--order", "100", "--block", "16", "--warm-up", "0.1");
        assertThat(run.status()).as("%s", run).isZero();
        assertThat(ProgramRun.of(Lu.class, 1, "--warm-up", "-1").errors())
                .isEqualTo("lu: --warm-up takes a number from 0 to 3600, not -1" + System.lineSeparator());
    }

    @Test
    void everyIndexHasOnePlace() {
        for (int parts = 1; parts <= 4; parts++) {
            for (int part = 0; part < parts; part++) {
                BlockCyclic cyclic = new BlockCyclic(3, parts, part);
                int seen = 0;
                for (int index = 0; index < 40; index++) {
                    assertThat(cyclic.countBelow(index)).isEqualTo(seen);
                    if (cyclic.owner(index) == part) {
                        assertThat(cyclic.local(index)).isEqualTo(seen);
                        assertThat(cyclic.global(seen)).isEqualTo(index);
                        seen++;
                    }
                }
            }
        }
    }
}
