package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParametersTest {
    private static final String MINIMAL = """
            # a comment
            grid.width = 200   # columns
            grid.height = 100
            grid.cell = 0.01

            steps = 500
            source.x = 50
            source.y = 40
            source.frequency = 1e9
            """;

    private static Parameters parse(String text) {
        return Parameters.parse("box.properties", text);
    }

    @Test
    void fillsInWhatIsNotSaid() {
        Parameters parameters = parse(MINIMAL);
        assertThat(parameters.width()).isEqualTo(200);
        assertThat(parameters.steps()).isEqualTo(500);
        assertThat(parameters.courant()).isEqualTo(0.7);
        assertThat(parameters.timeStep()).isCloseTo(0.7 * 0.01 / 299_792_458.0, within(1e-20));
        assertThat(parameters.source().region()).isEqualTo(new Tile(50, 40, 1, 1));
        assertThat(parameters.source().kind()).isEqualTo(Source.Kind.SOFT);
        assertThat(parameters.source().wavelet()).isEqualTo(new RickerWavelet(1e9, 1.5e-9, 1.0));
        assertThat(parameters.maskFile()).isEmpty();
        assertThat(parameters.energyInterval()).isEqualTo(20);
        assertThat(parameters.pictureScale()).isEmpty();
    }

    @Test
    void takesEverythingThatIsSaid() {
        Parameters parameters = parse(MINIMAL + """
                courant = 0.5
                source.kind = hard
                source.width = 3
                source.height = 2
                source.delay = 2e-9
                source.amplitude = -4
                obstacles.mask = some folder/mask.png
                obstacles.threshold = 0.25
                energy.interval = 7
                picture.scale = 0.125
                """);
        assertThat(parameters.courant()).isEqualTo(0.5);
        assertThat(parameters.source())
                .isEqualTo(new Source(new Tile(50, 40, 3, 2), Source.Kind.HARD, new RickerWavelet(1e9, 2e-9, -4.0)));
        assertThat(parameters.maskFile()).contains("some folder/mask.png");
        assertThat(parameters.maskThreshold()).isEqualTo(0.25);
        assertThat(parameters.energyInterval()).isEqualTo(7);
        assertThat(parameters.pictureScale()).hasValue(0.125);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grid.width = 200   # columns | grid.width = wide | line 2: grid.width = wide must be an integer from 8",
                "grid.width = 200   # columns | grid.width = 7 | must be an integer from 8 to 65536 cells",
                "grid.width = 200   # columns | grid.width = | must be an integer",
                "grid.width = 200   # columns | grid.widht = 200 | key grid.width is missing",
                "steps = 500 | steps = 0 | line 6: steps = 0 must be an integer from 1",
                "steps = 500 | steps 500 | line 6: \"steps 500\" is not of the form",
                "steps = 500 | steps = 99999999999999999999 | must be an integer",
                "grid.cell = 0.01 | grid.cell = NaN | line 4: grid.cell = NaN must be a number",
                "grid.cell = 0.01 | grid.cell = -1 | must be a number from",
                "source.x = 50 | source.x = 199 | must be an integer from 1 to 198",
                "source.x = 50 | source.x = 0 | line 7: source.x = 0 must be an integer from 1 to 198",
                "source.frequency = 1e9 | source.frequency = 5e9 | at least 8 are needed",
            })
    void saysWhereAndWhatIsAllowed(String line, String replacement, String message) {
        assertThat(MINIMAL).contains(line);
        assertThatThrownBy(() -> parse(MINIMAL.replace(line, replacement)))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("box.properties")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "steps = 10 | line 10: key steps was already given in line 6",
                "sources.x = 1 | line 10: unknown key sources.x; known keys are courant, energy.interval, grid.cell",
                "source.kind = loud | line 10: source.kind = loud must be one of hard, soft",
                "obstacles.mask = | line 10: obstacles.mask =  must be not empty",
                "courant = 0.71 | line 10: courant: the scheme is unstable with a Courant number (c dt / dx) of 0.71",
                "source.width = 150 | must be an integer from 1 to 149",
                "= 5 | line 10: \"= 5\" is not of the form",
            })
    void refusesLinesThatAreWrongOnTheirOwn(String line, String message) {
        assertThatThrownBy(() -> parse(MINIMAL + line + "\n"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void acceptsTheLargestStableCourantNumber() {
        assertThat(parse(MINIMAL + "courant = " + Math.sqrt(0.5)).courant()).isEqualTo(Math.sqrt(0.5));
    }

    @Test
    void refusesASourceOnAConductor() {
        Parameters parameters = parse(MINIMAL + "source.width = 3\n");
        Obstacles obstacles = Obstacles.walls(200, 100);
        parameters.checkSource("box.properties", obstacles);
        obstacles.add(52, 40);
        assertThatThrownBy(() -> parameters.checkSource("box.properties", obstacles))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("column 52, row 40");
    }

    @Test
    void theWaveletHasItsCrestAtTheDelayAndNoMean() {
        RickerWavelet wavelet = new RickerWavelet(2.0, 3.0, 5.0);
        assertThat(wavelet.at(3.0)).isEqualTo(5.0);
        double sum = 0;
        for (double value : wavelet.sampled(60_000, 1e-4)) {
            sum += value;
        }
        assertThat(sum * 1e-4).isCloseTo(0.0, within(1e-9));
    }
}
