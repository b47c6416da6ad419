package org.galerna.applications.fourier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineTransformTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 32, 64})
    void aTransformIsTheSumOfItsDefinition(int length) {
        int lines = 3;
        LineTransform transform = new LineTransform(length, 5);
        double[][] real = new double[length][lines];
        double[][] imaginary = new double[length][lines];
        Random random = new Random(length);
        for (int element = 0; element < length; element++) {
            for (int line = 0; line < lines; line++) {
                real[element][line] = random.nextDouble() - 0.5;
                imaginary[element][line] = random.nextDouble() - 0.5;
                transform.real()[element][line] = real[element][line];
                transform.imaginary()[element][line] = imaginary[element][line];
            }
        }
        transform.forward(lines);
        for (int wave = 0; wave < length; wave++) {
            for (int line = 0; line < lines; line++) {
                double sumReal = 0;
                double sumImaginary = 0;
                for (int element = 0; element < length; element++) {
                    double angle = -2 * Math.PI * wave * element / length;
                    sumReal += real[element][line] * Math.cos(angle) - imaginary[element][line] * Math.sin(angle);
                    sumImaginary += real[element][line] * Math.sin(angle) + imaginary[element][line] * Math.cos(angle);
                }
                assertThat(transform.real()[wave][line]).isCloseTo(sumReal, within(1e-12));
                assertThat(transform.imaginary()[wave][line]).isCloseTo(sumImaginary, within(1e-12));
            }
        }
        transform.inverse(lines);
        for (int element = 0; element < length; element++) {
            for (int line = 0; line < lines; line++) {
                assertThat(transform.real()[element][line] / length).isCloseTo(real[element][line], within(1e-13));
            }
        }
    }

    @Test
    void otherLengthsAreRefused() {
        assertThatThrownBy(() -> new LineTransform(12, 1)).hasMessageContaining("a power of two");
    }
}
