package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubdomainTest {
    private static final double COURANT = 0.7;

    /** A pulse whose peak wavelength is {@code cells} cells, in units where a cell is one second of light. */
    private static double[] pulses(int steps, double cells) {
        return new RickerWavelet(1.0 / cells, 1.5 * cells, 1.0).sampled(steps, COURANT);
    }

    private static Source sourceAt(Tile region, Source.Kind kind) {
        return new Source(region, kind, new RickerWavelet(1, 1, 1));
    }

    private static Obstacles randomObstacles(int width, int height, Tile free) {
        Random random = new Random(7);
        Obstacles obstacles = Obstacles.walls(width, height);
        for (int count = 0; count < width * height / 10; count++) {
            int x = random.nextInt(width);
            int y = random.nextInt(height);
            if (!free.contains(x, y)) {
                obstacles.add(x, y);
            }
        }
        return obstacles;
    }

    @ParameterizedTest
    @CsvSource({
        "64, 48, 1, 1, SOFT",
        "64, 48, 1, 2, SOFT",
        "64, 48, 2, 1, HARD",
        "64, 48, 2, 2, SOFT",
        "67, 53, 3, 2, SOFT",
        "67, 53, 1, 5, HARD",
        "67, 53, 7, 11, SOFT",
        "31, 9, 31, 9, SOFT"
    })
    void equalsTheReferenceBitForBit(int width, int height, int columns, int rows, Source.Kind kind) {
        Tile region = new Tile(width / 2 - 2, height / 2 - 1, 5, 3);
        Obstacles obstacles = randomObstacles(width, height, region);
        Source source = sourceAt(region, kind);
        Decomposition decomposition = new Decomposition(width, height, columns, rows);
        SplitGrid split = new SplitGrid(decomposition, obstacles, COURANT, source);
        ReferenceSolver reference = new ReferenceSolver(obstacles, COURANT, source);
        double[] pulses = pulses(200, 9);
        for (int step = 0; step < pulses.length; step++) {
            if (step % 10 == 0) {
                assertThat(split.stepMeasuringEnergy(pulses[step]))
                        .as("energy before step %d", step)
                        .isEqualTo(reference.stepMeasuringEnergy(pulses[step]));
            } else {
                split.step(pulses[step]);
                reference.step(pulses[step]);
            }
        }
        double peak =
                Arrays.stream(split.field(Component.EZ)).map(Math::abs).max().orElseThrow();
        assertThat(peak).isGreaterThan(1e-3);
        for (Component component : Component.values()) {
            double[] field = split.field(component);
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    assertThat(Double.doubleToRawLongBits(field[y * width + x]))
                            .as("%s at %d, %d", component, x, y)
                            .isEqualTo(Double.doubleToRawLongBits(reference.at(component, x, y)));
                }
            }
        }
    }

    @Test
    void conservesTheEnergyInTheCavityOnceTheSourceIsSilent() {
        Tile region = new Tile(40, 30, 1, 1);
        Obstacles obstacles = randomObstacles(101, 83, region);
        SplitGrid grid =
                new SplitGrid(new Decomposition(101, 83, 1, 1), obstacles, COURANT, sourceAt(region, Source.Kind.SOFT));
        double[] pulses = pulses(120, 12);
        for (double pulse : pulses) {
            grid.step(pulse);
        }
        double energy = grid.stepMeasuringEnergy(0);
        assertThat(energy).isGreaterThan(0.1);
        for (int step = 0; step < 3_000; step++) {
            assertThat(grid.stepMeasuringEnergy(0)).isCloseTo(energy, within(1e-11 * energy));
        }
    }

    @Test
    void theFrontTravelsAtTheSpeedOfLight() {
        int size = 401;
        int centre = size / 2;
        SplitGrid grid = new SplitGrid(
                new Decomposition(size, size, 1, 1),
                Obstacles.walls(size, size),
                COURANT,
                sourceAt(new Tile(centre, centre, 1, 1), Source.Kind.SOFT));
        double wavelength = 25;
        double[] pulses = pulses(1_000, wavelength);
        int near = 60;
        int far = 160;
        double[] nearPeak = {0, 0};
        double[] farPeak = {0, 0};
        // until the first echo of the wall could reach the far cell
        int steps = (int) ((1.5 * wavelength + (size - centre) + (size - centre - far) - 10) / COURANT);
        for (int step = 0; step < steps; step++) {
            grid.step(pulses[step]);
            double[] field = grid.field(Component.EZ);
            keepPeak(nearPeak, step, field[centre * size + centre + near]);
            keepPeak(farPeak, step, field[(centre + far) * size + centre]);
        }
        double cellsPerStep = (far - near) / (farPeak[0] - nearPeak[0]);
        assertThat(cellsPerStep / COURANT).as("speed in units of c").isCloseTo(1.0, within(0.015));
        // a cylindrical wave fades with the square root of the distance
        assertThat(farPeak[1] / nearPeak[1]).isCloseTo(Math.sqrt((double) near / far), within(0.03));
    }

    private static void keepPeak(double[] peak, int step, double value) {
        if (Math.abs(value) > peak[1]) {
            peak[0] = step;
            peak[1] = Math.abs(value);
        }
    }

    @Test
    void nothingArrivesFasterThanTheGridAllows() {
        int size = 201;
        int centre = size / 2;
        SplitGrid grid = new SplitGrid(
                new Decomposition(size, size, 1, 1),
                Obstacles.walls(size, size),
                COURANT,
                sourceAt(new Tile(centre, centre, 1, 1), Source.Kind.SOFT));
        for (int step = 0; step < 50; step++) {
            grid.step(1.0);
        }
        double[] field = grid.field(Component.EZ);
        assertThat(field[centre * size + centre + 49]).isNotZero();
        assertThat(field[centre * size + centre + 50]).isZero();
    }

    @Test
    void aWallOfConductorsKeepsTheWaveOut() {
        Obstacles obstacles = Obstacles.walls(60, 60);
        for (int y = 0; y < 60; y++) {
            obstacles.add(30, y);
        }
        SplitGrid grid = new SplitGrid(
                new Decomposition(60, 60, 2, 2),
                obstacles,
                COURANT,
                sourceAt(new Tile(15, 30, 1, 1), Source.Kind.SOFT));
        for (double pulse : pulses(300, 12)) {
            grid.step(pulse);
        }
        double[] field = grid.field(Component.EZ);
        assertThat(field[20 * 60 + 20]).isNotZero();
        for (int y = 0; y < 60; y++) {
            for (int x = 30; x < 60; x++) {
                assertThat(field[y * 60 + x]).isZero();
            }
        }
    }
}
