package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.Random;
import org.galerna.memory.StridedLoop.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StridedLoopsTest {
    private static final int MOST_RUNS = 40;

    private static void fill(Object array, Random random) {
        for (int i = 0; i < Array.getLength(array); i++) {
            switch (array) {
                case boolean[] booleans -> booleans[i] = random.nextBoolean();
                case byte[] bytes -> bytes[i] = (byte) random.nextInt();
                case char[] chars -> chars[i] = (char) random.nextInt();
                case short[] shorts -> shorts[i] = (short) random.nextInt();
                case int[] ints -> ints[i] = random.nextInt();
                case long[] longs -> longs[i] = random.nextLong();
                case float[] floats -> floats[i] = random.nextFloat();
                case double[] doubles -> doubles[i] = random.nextDouble();
                default -> throw new IllegalArgumentException(array.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                boolean[].class,
                byte[].class,
                char[].class,
                short[].class,
                int[].class,
                long[].class,
                float[].class,
                double[].class
            })
    void generatedLoopsCopyRunsAndNothingElse(Class<?> type) {
        long seed = Seeds.next(this);
        Random random = new Random(seed);
        for (int length = 1; length <= StridedLoops.LONGEST_RUN; length++) {
            Shape shape = new Shape(type, length, length + random.nextInt(5), length + random.nextInt(5));
            StridedLoop loop = StridedLoopGenerator.generate(shape);
            for (int runs : new int[] {0, 1, 7, 8, 9, MOST_RUNS}) {
                int fromStart = random.nextInt(3);
                int toStart = random.nextInt(3);
                Object from = Array.newInstance(type.getComponentType(), 3 + MOST_RUNS * shape.fromStride());
                Object to = Array.newInstance(type.getComponentType(), 3 + MOST_RUNS * shape.toStride());
                fill(from, random);
                fill(to, random);
                Object expected = Array.newInstance(type.getComponentType(), Array.getLength(to));
                System.arraycopy(to, 0, expected, 0, Array.getLength(to));
                for (int run = 0; run < runs; run++) {
                    int source = fromStart + run * shape.fromStride();
                    System.arraycopy(from, source, expected, toStart + run * shape.toStride(), length);
                }
                loop.copy(from, fromStart, to, toStart, runs);
                assertThat(to).as("seed %d, %s, %d runs", seed, shape, runs).isEqualTo(expected);
            }
        }
    }

    @Test
    void whatIsCopiedOftenGetsALoop() {
        double[] from = new double[1000];
        double[] to = new double[2000];
        for (int i = 0; i < from.length; i++) {
            from[i] = i;
        }
        for (int round = 0; round <= StridedLoops.MANY_RUNS / 150; round++) {
            to[4] = -1;
            StridedCopy.copy(Double.BYTES, from, 1, 5, to, 2, 11, 3, 150);
            assertThat(to[4]).isEqualTo(3);
        }
        assertThat(StridedLoops.find(double[].class, 3, 5, 11, 150)).isNotNull();
        for (int run = 0; run < 150; run++) {
            assertThat(to[2 + 11 * run + 1]).isEqualTo(1 + 5 * run + 1);
        }
    }

    @Test
    void whatGainsNothingStaysWithoutALoop() {
        for (int round = 0; round < 3; round++) {
            int many = StridedLoops.MANY_RUNS;
            assertThat(StridedLoops.find(int[].class, 1, StridedLoops.GREATEST_STRIDE + 1, 1, many))
                    .isNull();
            assertThat(StridedLoops.find(int[].class, StridedLoops.LONGEST_RUN + 1, 20, 20, many))
                    .isNull();
            assertThat(StridedLoops.find(int[].class, 1, -1, 1, many)).isNull();
            assertThat(StridedLoops.find(String[].class, 1, 2, 1, many)).isNull();
            assertThat(StridedLoops.find(int[].class, 1, 2, 1, 3)).isNull();
        }
    }

    @Test
    void nothingOutsideAnArrayIsTouched() {
        StridedLoop loop = StridedLoopGenerator.generate(new Shape(int[].class, 1, 2, 2));
        int[] numbers = new int[20];
        assertThatThrownBy(() -> loop.copy(numbers, 0, new int[18], 0, 10))
                .isInstanceOf(ArrayIndexOutOfBoundsException.class);
        assertThatThrownBy(() -> loop.copy(numbers, 2, new int[20], 0, 10))
                .isInstanceOf(ArrayIndexOutOfBoundsException.class);
        assertThatThrownBy(() -> loop.copy(numbers, 0, new long[20], 0, 10)).isInstanceOf(ClassCastException.class);
    }
}
