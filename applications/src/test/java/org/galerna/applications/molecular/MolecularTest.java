package org.galerna.applications.molecular;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.launch.ThreadJob;
import org.junit.jupiter.api.Test;

class MolecularTest {
    private static final Pattern ENERGIES =
            Pattern.compile("kinetic ([0-9.]+), potential (-[0-9.]+), total (-[0-9.]+); drift ([0-9.e-]+)");

    private record Run(int status, String output, String errors) {
        double group(int number) {
            Matcher matcher = ENERGIES.matcher(output);
            assertThat(matcher.find()).as("%s%s", output, errors).isTrue();
            return Double.parseDouble(matcher.group(number));
        }
    }

    private static Run run(int ranks, String... arguments) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status = ThreadJob.builder()
                .ranks(ranks)
                .mainClass(Molecular.class.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run()
                .status();
        return new Run(status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    /** Before chaos has grown the rounding of sums to something that can be seen. */
    @Test
    void energiesDoNotDependOnTheNumberOfRanks() {
        Run one = run(1, "--cells", "5", "--steps", "60");
        assertThat(one.status()).as("%s", one).isZero();
        for (int ranks : new int[] {2, 3}) {
            Run more = run(ranks, "--cells", "5", "--steps", "60");
            assertThat(more.status()).as("%s", more).isZero();
            assertThat(more.group(1)).isCloseTo(one.group(1), within(1e-8));
            assertThat(more.group(2)).isCloseTo(one.group(2), within(1e-8));
        }
    }

    /** The lattice melts in this time: half of the kinetic energy becomes potential energy, and the sum stays. */
    @Test
    void theTotalEnergyStaysWhileItsPartsChange() {
        Run start = run(1, "--cells", "5", "--steps", "1", "--time", "1e-6");
        Run end = run(2, "--cells", "5", "--steps", "150");
        assertThat(start.group(1)).isCloseTo(1.08, within(1e-6)); // three halves of the temperature
        assertThat(start.group(1) - end.group(1)).isGreaterThan(0.3);
        assertThat(end.group(3)).isCloseTo(start.group(3), within(1e-3));
        assertThat(end.status()).isZero();
    }

    @Test
    void aBoxThatIsTooSmallForItsRanksIsOneLine() {
        Run run = run(4, "--cells", "5");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.errors()).startsWith("molecular: a box of 5 lattice cells has room for 3 ranks, not for 4");
    }
}
