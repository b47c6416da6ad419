package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class StridedArrayTest {
    private static final int RUNS = 700;
    private static final int ELEMENTS = 3 * RUNS;

    /** Element {@code i} of the row is element {@code index(i)} of the array. */
    private record Shape(int start, int length, int stride) {
        static Shape random(Random random) {
            int length = 1 + random.nextInt(5);
            return new Shape(random.nextInt(10), length, length + random.nextInt(4));
        }

        int runs() {
            return ELEMENTS / length;
        }

        int elements() {
            return runs() * length;
        }

        int index(int element) {
            return start + element / length * stride + element % length;
        }

        StridedArray over(Object array, int elementBytes) {
            return new StridedArray(array, elementBytes, start, length, stride, runs());
        }

        int room() {
            return start + runs() * stride + 10;
        }
    }

    private static int[] numbers(int length) {
        int[] numbers = new int[length];
        Arrays.setAll(numbers, i -> 1000 + i);
        return numbers;
    }

    @RepeatedTest(20)
    void partsAreReadAndWritten() {
        long seed = Seeds.next(this);
        Random random = new Random(seed);
        Shape shape = Shape.random(random);
        int[] array = numbers(shape.room());
        StridedArray row = shape.over(array, Integer.BYTES);
        assertThat(row.byteSize()).isEqualTo(4L * shape.elements());
        int first = random.nextInt(shape.elements());
        int count = random.nextInt(shape.elements() - first);
        try (Arena arena = Arena.ofConfined()) {
            for (MemorySegment memory : new MemorySegment[] {
                arena.allocate(4L * ELEMENTS + 13),
                MemorySegment.ofArray(new int[ELEMENTS + 4]),
                MemorySegment.ofArray(new byte[4 * ELEMENTS + 13])
            }) {
                long at = memory.heapBase().orElse(null) instanceof int[] ? 8 : 5; // bytes may lie anywhere
                row.read(4L * first, memory, at, 4L * count);
                for (int i = 0; i < count; i++) {
                    assertThat(memory.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i))
                            .as("seed %d, %s, element %d", seed, shape, first + i)
                            .isEqualTo(1000 + shape.index(first + i));
                }
                int[] written = new int[shape.room()];
                shape.over(written, Integer.BYTES).write(4L * first, memory, at, 4L * count);
                int[] expected = new int[shape.room()];
                for (int i = first; i < first + count; i++) {
                    expected[shape.index(i)] = 1000 + shape.index(i);
                }
                assertThat(written).as("seed %d, %s", seed, shape).isEqualTo(expected);
            }
        }
    }

    @RepeatedTest(40)
    void partsGoFromOneToAnother() {
        long seed = Seeds.next(this);
        Random random = new Random(seed);
        Shape from = random.nextBoolean() ? new Shape(3, 1, 2) : Shape.random(random);
        Shape to = switch (random.nextInt(3)) {
            case 0 -> new Shape(1, 1, 4);
            case 1 -> new Shape(2, from.length(), from.length() + random.nextInt(4)); // runs of the same length
            default -> Shape.random(random);
        };
        int first = random.nextInt(ELEMENTS / 2);
        int count = random.nextInt(Math.min(from.elements(), to.elements()) - first);
        int[] source = numbers(from.room());
        int[] target = new int[to.room()];
        from.over(source, Integer.BYTES).copy(4L * first, to.over(target, Integer.BYTES), 4L * count);
        int[] expected = new int[to.room()];
        for (int i = first; i < first + count; i++) {
            expected[to.index(i)] = source[from.index(i)];
        }
        assertThat(target).as("seed %d, %s to %s", seed, from, to).isEqualTo(expected);
    }

    @Test
    void elementsOfAnotherTypeAreBytes() {
        double[] doubles = {1.5, 0, 2.5, 0, 3.5};
        long[] longs = new long[9];
        new StridedArray(doubles, 8, 0, 1, 2, 3).copy(0, new StridedArray(longs, 8, 1, 1, 3, 3), 24);
        assertThat(longs[1]).isEqualTo(Double.doubleToRawLongBits(1.5));
        assertThat(longs[7]).isEqualTo(Double.doubleToRawLongBits(3.5));
    }

    @Test
    void runsOutsideTheArrayAreRefused() {
        assertThatThrownBy(() -> new StridedArray(new int[10], 4, 0, 2, 3, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new StridedArray(new int[10], 4, 8, 2, -5, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(new StridedArray(new int[10], 4, 8, 2, -4, 3).byteSize()).isEqualTo(24);
    }
}
