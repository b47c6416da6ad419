package org.galerna.applications.cosmology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.galerna.ranks.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UniverseTest {
    private static final Background BACKGROUND = new Background(0.31, 0.69);

    private static Universe.Model model(int side, double box) {
        return new Universe.Model(BACKGROUND, box, side, 2 * side, 0.04, 0.5, 3);
    }

    /** How much more power the longest waves have after some steps, in units of what linear theory says. */
    private static double[] growth(int ranks, int side, double box, double from, double to, int steps) {
        return Ranks.of(ranks)
                .call(world -> {
                    Universe universe = new Universe(world, model(side, box), from);
                    double[][] early = universe.power();
                    for (int step = 1; step <= steps; step++) {
                        universe.step(from * Math.pow(to / from, (double) step / steps));
                    }
                    double[][] late = universe.power();
                    double linear = Math.pow(BACKGROUND.growth(to) / BACKGROUND.growth(from), 2);
                    double[] ratios = new double[5];
                    for (int waves = 1; waves < ratios.length; waves++) {
                        ratios[waves] = late[0][waves] / early[0][waves] / linear;
                    }
                    return ratios;
                })
                .getFirst();
    }

    /** Waves that are only a few times as long as the lattice is wide grow more slowly. */
    @Test
    @Tag("slow")
    void longWavesGrowAsLinearTheorySays() {
        double[] ratios = growth(2, 32, 300, 0.02, 0.05, 7);
        for (int waves = 1; waves <= 3; waves++) {
            assertThat(ratios[waves]).as("%d waves", waves).isCloseTo(1, within(0.03));
        }
    }

    /** Gravity has shifted some power between waves by then. */
    @Test
    @Tag("slow")
    void longWavesGrowAsLinearTheorySaysUntilToday() {
        double[] ratios = growth(2, 64, 500, 0.02, 1, 64);
        for (int waves = 1; waves <= 3; waves++) {
            assertThat(ratios[waves]).as("%d waves", waves).isCloseTo(1, within(0.1));
        }
    }

    @Test
    void theFirstPowerSpectrumIsTheGivenOne() {
        double[][] spectrum = Ranks.of(2)
                .call(world -> new Universe(world, model(32, 200), 0.02).power())
                .getFirst();
        LinearPower linear = new LinearPower(BACKGROUND);
        double growth = BACKGROUND.growth(0.02);
        double found = 0;
        double expected = 0;
        for (int waves = 4; waves < 12; waves++) {
            double weight = waves * waves; // there are that many
            double power = growth * growth * linear.at(2 * Math.PI * spectrum[1][waves] / 200) / (200.0 * 200 * 200);
            found += weight * spectrum[0][waves] / power;
            expected += weight;
        }
        assertThat(found / expected).isCloseTo(1, within(0.05)); // some thousand waves of random size
    }

    @Test
    void momentumStays() {
        double momentum = Ranks.of(2)
                .call(world -> {
                    Universe universe = new Universe(world, model(16, 25), 0.05);
                    for (int step = 1; step <= 12; step++) {
                        universe.step(0.05 + 0.05 * step);
                    }
                    return universe.momentum();
                })
                .getFirst();
        assertThat(momentum).isLessThan(1e-3);
    }
}
