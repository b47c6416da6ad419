package org.galerna.applications.cosmology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BackgroundTest {
    private final Background flat = new Background(1, 0);
    private final Background today = new Background(0.3, 0.7);

    /** Einstein and de Sitter's universe has formulas for all. */
    @Test
    void matterAloneHasTheKnownSolution() {
        for (double a : new double[] {0.02, 0.3, 1}) {
            assertThat(flat.growth(a)).isCloseTo(a, within(1e-9));
            assertThat(flat.growthRate(a)).isCloseTo(1, within(1e-9));
        }
        assertThat(flat.kick(0.25, 1)).isCloseTo(2 * (1 - 0.5), within(1e-9));
        assertThat(flat.drift(0.25, 1)).isCloseTo(2 * (1 / 0.5 - 1), within(1e-7));
    }

    /** The formula of S. M. Carroll, W. H. Press and E. L. Turner (1992) is good to some per mille. */
    @Test
    void aCosmologicalConstantSlowsTheGrowth() {
        double early = today.growth(0.02) / 0.02;
        assertThat(1 / early).isCloseTo(0.779, within(0.003));
        assertThat(today.growthRate(1)).isCloseTo(Math.pow(0.3, 0.55), within(0.005));
        double step = 1e-4;
        double slope = (Math.log(today.growth(0.5 + step)) - Math.log(today.growth(0.5 - step)))
                / (Math.log(0.5 + step) - Math.log(0.5 - step));
        assertThat(today.growthRate(0.5)).isCloseTo(slope, within(1e-5));
    }

    @Test
    void thePowerSpectrumHasItsPeakAndItsSlopes() {
        LinearPower power = new LinearPower(today);
        assertThat(Math.log(power.at(2e-4) / power.at(1e-4)) / Math.log(2)).isCloseTo(0.965, within(0.01));
        double peak = 0;
        for (double wave = 1e-3; wave < 1; wave *= 1.01) {
            peak = power.at(wave) > power.at(peak == 0 ? 1e-4 : peak) ? wave : peak;
        }
        assertThat(peak).isBetween(0.012, 0.02);
        assertThat(power.at(peak)).isBetween(15_000.0, 35_000.0); // (Mpc/h)^3, for a variance of 0.81 squared
        assertThat(Math.log(power.at(20) / power.at(10)) / Math.log(2)).isBetween(-2.9, -2.4);
    }
}
