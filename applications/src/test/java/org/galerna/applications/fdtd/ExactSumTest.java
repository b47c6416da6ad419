package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExactSumTest {
    private final long seed = System.nanoTime();

    private double[] randomValues(int count, int exponents) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        double[] values = new double[count];
        for (int index = 0; index < count; index++) {
            values[index] = Math.scalb(random.nextDouble() - 0.5, random.nextInt(exponents) - exponents / 2);
        }
        return values;
    }

    @Test
    void equalsTheCorrectlyRoundedSumOfBigDecimals() {
        for (int exponents : new int[] {1, 60, 200, 1900}) {
            double[] values = randomValues(5_000, exponents);
            BigDecimal expected = BigDecimal.ZERO;
            for (double value : values) {
                expected = expected.add(new BigDecimal(value));
            }
            ExactSum sum = new ExactSum();
            sum.add(values, 0, values.length);
            assertThat(sum.value()).as("%d exponents", exponents).isEqualTo(expected.doubleValue());
        }
    }

    @Test
    void doesNotDependOnGroupingThroughLimbs() {
        double[] values = randomValues(10_000, 100);
        ExactSum whole = new ExactSum();
        for (double value : values) {
            whole.add(value);
        }
        long[] added = new long[ExactSum.LIMBS];
        for (int part = 0; part < 7; part++) {
            ExactSum partial = new ExactSum();
            for (int index = values.length - 1 - part; index >= 0; index -= 7) {
                partial.add(values[index]);
            }
            long[] limbs = new long[ExactSum.LIMBS];
            partial.copyTo(limbs, 0);
            for (int limb = 0; limb < limbs.length; limb++) {
                added[limb] += limbs[limb];
            }
        }
        ExactSum sum = new ExactSum();
        sum.setTo(added, 0);
        assertThat(sum.value()).isEqualTo(whole.value());
    }

    static double[][] cornerCases() {
        double tiny = Double.MIN_VALUE;
        double ulpOfOne = Math.ulp(1.0);
        return new double[][] {
            {},
            {0.0, -0.0},
            {tiny},
            {-tiny, -tiny, -tiny},
            {Double.MIN_NORMAL, -tiny},
            {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE},
            {1.0, 1e300, -1e300},
            {1.0, ulpOfOne / 2},
            {1.0, ulpOfOne / 2, tiny},
            {1.0 + ulpOfOne, ulpOfOne / 2},
            {-1.0, -ulpOfOne / 2, -tiny},
            {1.0, -1.0},
            {Math.scalb(1.0, 63), 1.0, -Math.scalb(1.0, 63)}
        };
    }

    @ParameterizedTest
    @MethodSource("cornerCases")
    void roundsOnceToNearestEven(double[] values) {
        BigDecimal expected = BigDecimal.ZERO;
        ExactSum sum = new ExactSum();
        for (double value : values) {
            expected = expected.add(new BigDecimal(value));
            sum.add(value);
        }
        assertThat(sum.value()).isEqualTo(expected.doubleValue());
    }

    @Test
    void overflowsToInfinityOnlyWhenTheSumDoes() {
        ExactSum sum = new ExactSum();
        sum.add(Double.MAX_VALUE);
        sum.add(Double.MAX_VALUE);
        assertThat(sum.value()).isEqualTo(Double.POSITIVE_INFINITY);
        sum.clear();
        assertThat(sum.value()).isZero();
    }

    @Test
    void refusesValuesThatAreNotFinite() {
        ExactSum sum = new ExactSum();
        assertThatThrownBy(() -> sum.add(Double.NaN)).isInstanceOf(ArithmeticException.class);
    }
}
