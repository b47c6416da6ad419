package org.galerna.mpi.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    /** What a layout means, element by element. */
    private record Oracle(List<Integer> positions, long lower, long upper) {
        long extent() {
            return upper - lower;
        }

        static Oracle of(List<Integer> positions) {
            return new Oracle(
                    positions,
                    positions.stream().mapToInt(i -> i).min().orElse(0),
                    positions.stream().mapToInt(i -> i + 1).max().orElse(0));
        }

        Oracle blocks(int[] lengths, long[] displacements) {
            List<Integer> result = new ArrayList<>();
            for (int block = 0; block < lengths.length; block++) {
                for (int item = 0; item < lengths[block]; item++) {
                    for (int position : positions) {
                        result.add((int) (displacements[block] + item * extent() + position));
                    }
                }
            }
            return of(result);
        }
    }

    private record Pair(Layout layout, Oracle oracle) {}

    private Pair random(int depth) {
        if (depth == 0) {
            return new Pair(Layout.of(ElementType.INT), Oracle.of(List.of(0)));
        }
        Pair inner = random(depth - 1);
        switch (random.nextInt(3)) {
            case 0 -> {
                int count = random.nextInt(5);
                return new Pair(
                        inner.layout().contiguous(count), inner.oracle().blocks(new int[] {count}, new long[] {0}));
            }
            case 1 -> {
                int count = random.nextInt(5);
                int length = random.nextInt(4);
                int stride = random.nextInt(20) - 4;
                return new Pair(
                        inner.layout().vector(count, length, stride),
                        inner.oracle()
                                .blocks(
                                        IntStream.generate(() -> length)
                                                .limit(count)
                                                .toArray(),
                                        IntStream.range(0, count)
                                                .mapToLong(i -> (long) i * stride)
                                                .toArray()));
            }
            default -> {
                int count = random.nextInt(5);
                int[] lengths =
                        IntStream.generate(() -> random.nextInt(4)).limit(count).toArray();
                long[] displacements = IntStream.generate(() -> random.nextInt(40) - 10)
                        .limit(count)
                        .mapToLong(i -> i)
                        .toArray();
                return new Pair(
                        inner.layout().indexed(lengths, displacements),
                        inner.oracle().blocks(lengths, displacements));
            }
        }
    }

    @Test
    void hasTheElementsAndBoundsThatMpiDefines() {
        for (int round = 0; round < 3000; round++) {
            Pair pair = random(1 + random.nextInt(4));
            Layout layout = pair.layout();
            Oracle oracle = pair.oracle();
            String which = "seed " + seed + ", round " + round + ", " + layout;
            assertThat(layout.size()).as(which).isEqualTo(oracle.positions().size());
            assertThat(layout.lowerBound()).as(which).isEqualTo((int) oracle.lower());
            assertThat(layout.upperBound()).as(which).isEqualTo((int) oracle.upper());
            assertThat(layout.isDense())
                    .as(which)
                    .isEqualTo(!oracle.positions().isEmpty()
                            && oracle.positions()
                                    .equals(IntStream.range(0, layout.size())
                                            .boxed()
                                            .toList()));
        }
    }

    @Test
    void packsAndUnpacksElementByElement() {
        for (int round = 0; round < 3000; round++) {
            Pair pair = random(1 + random.nextInt(4));
            Layout layout = pair.layout();
            String which = "seed " + seed + ", round " + round + ", " + layout;
            int count = 1 + random.nextInt(4);
            if (layout.size() == 0) {
                continue;
            }
            int origin = layout.originIn(count);
            int length = layout.span(count);
            assertThat(layout.fits(length, origin, count)).as(which).isTrue();
            assertThat(layout.fits(length - 1, origin, count)).as(which).isFalse();
            int[] buffer = IntStream.range(100, 100 + length).toArray();
            int[] expected = new int[layout.size() * count];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = buffer[place(pair, origin, i)];
            }
            int[] packed = new int[expected.length];
            layout.gather(buffer, origin, count, packed, 0);
            assertThat(packed).as(which).isEqualTo(expected);

            int available = random.nextInt(expected.length + 1);
            int[] target = new int[length];
            int[] wanted = new int[length];
            for (int i = 0; i < available; i++) {
                wanted[place(pair, origin, i)] = expected[i];
            }
            layout.scatter(packed, 0, available, target, origin);
            assertThat(target).as(which + ", first " + available).isEqualTo(wanted);
        }
    }

    private static int place(Pair pair, int origin, int element) {
        int size = pair.layout().size();
        return (int) (origin
                + (element / size) * pair.oracle().extent()
                + pair.oracle().positions().get(element % size));
    }

    @Test
    void stridedCopiesWorkForEveryElementType() {
        for (ElementType type : ElementType.values()) {
            Object source = type.newArray(60);
            for (int i = 0; i < 60; i++) {
                switch (source) {
                    case byte[] array -> array[i] = (byte) (i + 1);
                    case char[] array -> array[i] = (char) (i + 1);
                    case short[] array -> array[i] = (short) (i + 1);
                    case boolean[] array -> array[i] = i % 3 == 0;
                    case int[] array -> array[i] = i + 1;
                    case long[] array -> array[i] = i + 1L;
                    case float[] array -> array[i] = i + 1;
                    case double[] array -> array[i] = i + 1;
                    case Object[] array -> array[i] = "s" + i;
                    default -> throw new AssertionError();
                }
            }
            for (int length = 1; length <= 5; length++) {
                Layout vector = Layout.of(type).vector(3, length, 6);
                Layout items = Layout.struct(
                        new int[] {1, 1}, new long[] {0, 18}, new Layout[] {vector, Layout.upperMarker()});
                for (int count : new int[] {1, 3}) {
                    copyThereAndBack(type, items, length, count, source);
                }
                Layout narrow = Layout.struct(
                        new int[] {length, 1}, new long[] {0, 6}, new Layout[] {Layout.of(type), Layout.upperMarker()});
                copyThereAndBack(type, narrow, length, 9, source);
            }
        }
    }

    /** Copies items whose runs of {@code length} elements begin at every sixth element. */
    private static void copyThereAndBack(ElementType type, Layout layout, int length, int count, Object source) {
        int elements = count * layout.size();
        Object packed = type.newArray(elements);
        layout.gather(source, 0, count, packed, 0);
        Object target = type.newArray(60);
        layout.scatter(packed, 0, elements, target, 0);
        Object untouched = Array.get(type.newArray(1), 0);
        for (int i = 0; i < 60; i++) {
            boolean inRun = i < count * layout.extent() && i % 6 < length;
            String what = length + " of 6 " + type + ", " + count + " items, element " + i;
            assertThat(Array.get(target, i)).as(what).isEqualTo(inRun ? Array.get(source, i) : untouched);
            if (inRun) {
                assertThat(Array.get(packed, i / 6 * length + i % 6)).as(what).isEqualTo(Array.get(source, i));
            }
        }
    }

    @Test
    void markersSetTheBoundsOfStructures() {
        Layout integer = Layout.of(ElementType.INT);
        Layout struct = Layout.struct(new int[] {1, 2, 1}, new long[] {-3, 0, 7}, new Layout[] {
            Layout.lowerMarker(), integer, Layout.upperMarker()
        });
        assertThat(struct.lowerBound()).isEqualTo(-3);
        assertThat(struct.upperBound()).isEqualTo(7);
        assertThat(struct.size()).isEqualTo(2);
        Layout three = struct.contiguous(3);
        assertThat(three.lowerBound()).isEqualTo(-3);
        assertThat(three.upperBound()).isEqualTo(27);
    }

    @Test
    void structuresOfMixedElementsAreRefused() {
        assertThatThrownBy(() -> Layout.struct(new int[] {1, 1}, new long[] {0, 1}, new Layout[] {
                    Layout.of(ElementType.INT), Layout.of(ElementType.LONG)
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INT")
                .hasMessageContaining("LONG");
    }

    @Test
    void aHugeVectorIsSmall() {
        Layout column = Layout.of(ElementType.DOUBLE).vector(50_000_000, 1, 2);
        assertThat(column.size()).isEqualTo(50_000_000);
        assertThat(column.runs().groups()).isEqualTo(1);
        assertThatThrownBy(() -> Layout.of(ElementType.DOUBLE).vector(Integer.MAX_VALUE, 2, 2))
                .isInstanceOf(ArithmeticException.class);
    }
}
