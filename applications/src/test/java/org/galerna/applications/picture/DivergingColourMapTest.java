package org.galerna.applications.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DivergingColourMapTest {
    private static double luminance(double value) {
        int rgb = DivergingColourMap.colour(value);
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
    }

    private static double linear(int component) {
        return Math.pow((component & 0xff) / 255.0, 2.2);
    }

    @Test
    void getsLighterTowardsBothEnds() {
        for (double value = 0.02; value <= 1.0; value += 0.02) {
            assertThat(luminance(value)).isGreaterThan(luminance(value - 0.02));
            assertThat(luminance(-value)).isGreaterThan(luminance(0.02 - value));
        }
    }

    @Test
    void neitherSignLooksStronger() {
        for (double value = 0.1; value <= 1.0; value += 0.1) {
            assertThat(Math.cbrt(luminance(value))).isCloseTo(Math.cbrt(luminance(-value)), within(0.05));
        }
    }

    @Test
    void negativeIsBlueAndPositiveIsOrange() {
        int negative = DivergingColourMap.colour(-0.6);
        int positive = DivergingColourMap.colour(0.6);
        assertThat(negative & 0xff).isGreaterThan((negative >> 16) & 0xff);
        assertThat(positive & 0xff).isLessThan((positive >> 16) & 0xff);
    }

    @Test
    void clampsWhatLiesOutside() {
        assertThat(DivergingColourMap.colour(7)).isEqualTo(DivergingColourMap.colour(1));
        assertThat(DivergingColourMap.colour(Double.NEGATIVE_INFINITY)).isEqualTo(DivergingColourMap.colour(-1));
    }

    @Test
    void thePaletteIsSymmetricAroundZero() {
        int middle = IndexedCanvas.mapColour(0.0);
        assertThat(IndexedCanvas.mapColour(-1.0)).isZero();
        assertThat(IndexedCanvas.mapColour(1.0)).isEqualTo(2 * middle);
        assertThat(IndexedCanvas.mapColour(3.0)).isEqualTo(2 * middle);
        assertThat(IndexedCanvas.mapColour(0.5) - middle).isEqualTo(middle - IndexedCanvas.mapColour(-0.5));
    }
}
