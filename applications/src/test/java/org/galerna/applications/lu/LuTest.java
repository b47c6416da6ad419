package org.galerna.applications.lu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.galerna.launch.ThreadJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LuTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private int run(int ranks, String... arguments) {
        return ThreadJob.builder()
                .ranks(ranks)
                .mainClass(Lu.class.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run()
                .status();
    }

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
        assertThat(run(ranks, "--order", order, "--block", block, "--grid", grid))
                .as("%s%s", output, errors)
                .isZero();
        assertThat(output.toString(StandardCharsets.UTF_8))
                .startsWith("order " + order)
                .contains("PASSED");
    }

    @Test
    void aWrongGridIsOneLine() {
        assertThat(run(2, "--grid", "2x2")).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("lu: --grid takes ROWSxCOLUMNS with a product of 2, the number of ranks, not 2x2"
                        + System.lineSeparator());
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
