package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.galerna.applications.ProgramException;
import org.galerna.applications.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FdtdOptionsTest {
    private static FdtdOptions parse(String line) {
        return FdtdOptions.parse(line.split(" "));
    }

    @Test
    void understandsAllOptionsInAnyOrder() {
        FdtdOptions options =
                parse("--steps 12 box.properties --frames 5 --warm-up 0.5 --progress none out --field f.bin");
        assertThat(options.parameterFile()).isEqualTo(Path.of("box.properties"));
        assertThat(options.outputFolder()).isEqualTo(Path.of("out"));
        assertThat(options.steps()).hasValue(12);
        assertThat(options.frames()).isEqualTo(5);
        assertThat(options.warmUpSeconds()).isEqualTo(0.5);
        assertThat(options.fieldFile()).contains(Path.of("f.bin"));
        assertThat(options.progress()).isEqualTo(Progress.Mode.NONE);
    }

    @Test
    void needsNothingButAParameterFile() {
        FdtdOptions options = parse("box.properties");
        assertThat(options.outputFolder()).isEqualTo(Path.of("fdtd-output"));
        assertThat(options.steps()).isEmpty();
        assertThat(options.frames()).isZero();
        assertThat(options.warmUpSeconds()).isZero();
        assertThat(options.progress()).isEqualTo(Progress.Mode.AUTO);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--frames 5 | no parameter file was given",
                "a b c | too many arguments",
                "a --frame 5 | unknown option --frame",
                "a --frames | option --frames needs a value",
                "a --frames -1 | --frames takes a number from 1 to 10000, not -1",
                "a --warm-up NaN | --warm-up takes a number from 0 to 3600, not NaN",
                "a --steps x | --steps takes a number from 1 to 2147483647, not x",
                "a --steps 1.5 | --steps takes a whole number, not 1.5",
                "a --progress BAR | --progress is auto, bar, lines or none, not BAR",
            })
    void saysWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(ProgramException.class)
                .hasMessageContaining(message);
    }
}
