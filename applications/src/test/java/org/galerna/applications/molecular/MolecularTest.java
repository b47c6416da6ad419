package org.galerna.applications.molecular;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.regex.Pattern;
import org.galerna.applications.ProgramRun;
import org.junit.jupiter.api.Test;

class MolecularTest {
    private static final Pattern ENERGIES =
            Pattern.compile("kinetic ([0-9.]+), potential (-[0-9.]+), total (-[0-9.]+); drift ([0-9.e-]+)");

    private static ProgramRun run(int ranks, String... arguments) {
        return ProgramRun.of(Molecular.class, ranks, arguments);
    }

    /** Before chaos has grown the rounding of sums to something that can be seen. */
    @Test
    void energiesDoNotDependOnTheNumberOfRanks() {
        ProgramRun one = run(1, "--cells", "5", "--steps", "60");
        assertThat(one.status()).as("%s", one).isZero();
        for (int ranks : new int[] {2, 3}) {
            ProgramRun more = run(ranks, "--cells", "5", "--steps", "60", "--warm-up", "0.05");
            assertThat(more.status()).as("%s", more).isZero();
            assertThat(more.number(ENERGIES, 1)).isCloseTo(one.number(ENERGIES, 1), within(1e-8));
            assertThat(more.number(ENERGIES, 2)).isCloseTo(one.number(ENERGIES, 2), within(1e-8));
        }
    }

    /** The lattice melts in this time: half of the kinetic energy becomes potential energy, and the sum stays. */
    @Test
    void theTotalEnergyStaysWhileItsPartsChange() {
        ProgramRun start = run(1, "--cells", "5", "--steps", "1", "--time", "1e-6");
        ProgramRun end = run(2, "--cells", "5", "--steps", "150");
        assertThat(start.number(ENERGIES, 1)).isCloseTo(1.08, within(1e-6)); // three halves of the temperature
        assertThat(start.number(ENERGIES, 1) - end.number(ENERGIES, 1)).isGreaterThan(0.3);
        assertThat(end.number(ENERGIES, 3)).isCloseTo(start.number(ENERGIES, 3), within(1e-3));
        assertThat(end.status()).isZero();
    }

    @Test
    void aBoxThatIsTooSmallForItsRanksIsOneLine() {
        ProgramRun run = run(4, "--cells", "5");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).startsWith("molecular: a box of 5 lattice cells has room for 3 ranks, not for 4");
    }
}
