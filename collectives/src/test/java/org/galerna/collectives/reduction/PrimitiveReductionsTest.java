package org.galerna.collectives.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.galerna.memory.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every predefined operation on every type, against the operation on single numbers. */
final class PrimitiveReductionsTest {
    private static final long SEED = Long.getLong("galerna.test.seed", 4711);
    private static final int COUNT = 5000; // more than one piece
    private static final List<Class<?>> TYPES = List.of(
            byte[].class, short[].class, char[].class, int[].class, long[].class, float[].class, double[].class);

    static Stream<Arguments> all() {
        return Stream.of(Operator.values())
                .flatMap(operator -> TYPES.stream()
                        .filter(type -> PrimitiveReductions.exists(operator, type))
                        .map(type -> Arguments.of(operator, type)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("all")
    void arraysAreCombinedElementByElement(Operator operator, Class<?> type) {
        assertCombined(operator, type, 3, 1);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("all")
    void arraysAreCombinedAtTheSameIndexes(Operator operator, Class<?> type) {
        assertCombined(operator, type, 2, 2);
    }

    private static void assertCombined(Operator operator, Class<?> type, int inFrom, int inOutFrom) {
        Reduction reduction = PrimitiveReductions.of(operator, type);
        int width = width(operator);
        int size = reduction.elementSize() / width;
        Random random = new Random(SEED);
        Object in = random(type, 5 + COUNT * width, random);
        Object inOut = random(type, 5 + COUNT * width, random);
        Object expected = copy(inOut);
        combine(operator, in, inFrom, expected, inOutFrom, COUNT);
        Object before = copy(in);

        reduction.apply(in, (long) inFrom * size, inOut, (long) inOutFrom * size, COUNT);

        assertSame(inOut, expected, operator + " (seed " + SEED + ")");
        assertSame(in, before, "left operands of " + operator);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("all")
    void segmentsAreCombinedLikeArrays(Operator operator, Class<?> type) {
        Reduction reduction = PrimitiveReductions.of(operator, type);
        int length = COUNT * width(operator);
        Random random = new Random(SEED);
        Object in = random(type, length, random);
        Object inOut = random(type, length, random);
        try (Arena arena = Arena.ofConfined()) {
            long bytes = (long) COUNT * reduction.elementSize();
            MemorySegment left = arena.allocate(bytes + 1).asSlice(1); // not aligned
            MemorySegment right = arena.allocate(bytes + 2);
            left.copyFrom(segment(in));
            right.asSlice(1, bytes).copyFrom(segment(inOut));
            combine(operator, in, 0, inOut, 0, COUNT);

            reduction.apply(left, 0, right, 1, COUNT);

            assertThat(right.asSlice(1, bytes).mismatch(segment(inOut)))
                    .as("first wrong byte of " + operator + " on " + type.getSimpleName() + " (seed " + SEED + ")")
                    .isEqualTo(-1);
            assertThat(right.get(ValueLayout.JAVA_BYTE, 0)).isZero();
            assertThat(right.get(ValueLayout.JAVA_BYTE, bytes + 1)).isZero();
        }
    }

    @Test
    void allocatesWhatItCombines() {
        Reduction pairs = PrimitiveReductions.of(Operator.MAXLOC, float[].class);
        assertThat(pairs.elementSize()).isEqualTo(8);
        assertThat(pairs.commutative()).isTrue();
        assertThat(pairs.memoryType()).isEqualTo(float[].class);
        assertThat((float[]) pairs.allocate(3)).hasSize(6);
        assertThat((char[]) PrimitiveReductions.of(Operator.SUM, char[].class).allocate(3))
                .hasSize(3);
    }

    @Test
    void ofEqualValuesTheSmallestLocationWins() {
        Reduction minimum = PrimitiveReductions.of(Operator.MINLOC, int[].class);
        int[] left = {5, 9, 4, 1, 7, 3};
        int[] right = {5, 2, 5, 8, 6, 4};
        minimum.apply(left, 0, right, 0, 3);
        assertThat(right).containsExactly(5, 2, 4, 1, 6, 4);
    }

    @Test
    void notANumberWins() {
        double nan = Double.NaN;
        for (Operator operator : List.of(Operator.MAX, Operator.MIN)) {
            double[] right = {1, nan, nan};
            PrimitiveReductions.of(operator, double[].class).apply(new double[] {nan, 1, nan}, 0, right, 0, 3);
            assertThat(right).as(operator.name()).containsExactly(nan, nan, nan);
        }
        for (Operator operator : List.of(Operator.MAXLOC, Operator.MINLOC)) {
            double[] right = {1, 10, nan, 11, nan, 12};
            PrimitiveReductions.of(operator, double[].class).apply(new double[] {nan, 0, 1, 1, nan, 2}, 0, right, 0, 3);
            assertThat(right).as(operator.name()).containsExactly(nan, 0, nan, 11, nan, 2);
        }
    }

    @Test
    void undefinedOperationsAreRejectedWithTheList() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PrimitiveReductions.of(Operator.BAND, double[].class))
                .withMessage("BAND is not defined for double[]; defined are SUM, PROD, MAX, MIN, MAXLOC, MINLOC");
        assertThat(PrimitiveReductions.exists(Operator.LAND, boolean[].class)).isFalse();
    }

    private static int width(Operator operator) {
        return operator == Operator.MAXLOC || operator == Operator.MINLOC ? 2 : 1;
    }

    /** Numbers of which many are equal, zero or negative. */
    private static Object random(Class<?> type, int length, Random random) {
        Object array = Array.newInstance(type.componentType(), length);
        for (int i = 0; i < length; i++) {
            int small = random.nextInt(7) - 3;
            double fraction = small + (random.nextBoolean() ? 0 : random.nextDouble());
            long wide = random.nextBoolean() ? small : random.nextLong();
            switch (array) {
                case byte[] bytes -> bytes[i] = (byte) wide;
                case short[] shorts -> shorts[i] = (short) wide;
                case char[] chars -> chars[i] = (char) wide;
                case int[] ints -> ints[i] = (int) wide;
                case long[] longs -> longs[i] = wide;
                case float[] floats -> floats[i] = (float) fraction;
                case double[] doubles -> doubles[i] = fraction;
                default -> throw new IllegalStateException("no test for " + type);
            }
        }
        return array;
    }

    private static void combine(Operator operator, Object in, int inFrom, Object inOut, int inOutFrom, int count) {
        int width = width(operator);
        for (int i = 0; i < count * width; i += width) {
            if (width == 1) {
                set(
                        inOut,
                        inOutFrom + i,
                        combined(operator, Array.get(in, inFrom + i), Array.get(inOut, inOutFrom + i)));
                continue;
            }
            double left = ((Number) Array.get(in, inFrom + i)).doubleValue();
            double right = ((Number) Array.get(inOut, inOutFrom + i)).doubleValue();
            long leftExact = ((Number) Array.get(in, inFrom + i)).longValue();
            long rightExact = ((Number) Array.get(inOut, inOutFrom + i)).longValue();
            int order = in instanceof long[] ? Long.compare(leftExact, rightExact) : Double.compare(left, right);
            double leftPlace = ((Number) Array.get(in, inFrom + i + 1)).doubleValue();
            double rightPlace = ((Number) Array.get(inOut, inOutFrom + i + 1)).doubleValue();
            boolean lower = in instanceof long[]
                    ? Array.getLong(in, inFrom + i + 1) < Array.getLong(inOut, inOutFrom + i + 1)
                    : leftPlace < rightPlace;
            boolean wins = operator == Operator.MAXLOC ? order > 0 : order < 0;
            if (wins || (order == 0 && lower)) {
                Array.set(inOut, inOutFrom + i, Array.get(in, inFrom + i));
                Array.set(inOut, inOutFrom + i + 1, Array.get(in, inFrom + i + 1));
            }
        }
    }

    private static Object combined(Operator operator, Object left, Object right) {
        if (left instanceof Double || left instanceof Float) {
            double a = ((Number) left).doubleValue();
            double b = ((Number) right).doubleValue();
            return switch (operator) {
                case SUM -> a + b;
                case PROD -> a * b;
                case MAX -> Math.max(a, b);
                case MIN -> Math.min(a, b);
                default -> throw new IllegalStateException(operator + " on floating point numbers");
            };
        }
        long a = integer(left);
        long b = integer(right);
        return switch (operator) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            case LAND -> a != 0 && b != 0 ? 1L : 0L;
            case LOR -> a != 0 || b != 0 ? 1L : 0L;
            case LXOR -> (a != 0) ^ (b != 0) ? 1L : 0L;
            case MAXLOC, MINLOC -> throw new IllegalStateException(operator + " on single numbers");
        };
    }

    private static long integer(Object number) {
        return number instanceof Character character ? character : ((Number) number).longValue();
    }

    private static void set(Object array, int index, Object value) {
        Number number = (Number) value;
        switch (array) {
            case byte[] bytes -> bytes[index] = number.byteValue();
            case short[] shorts -> shorts[index] = number.shortValue();
            case char[] chars -> chars[index] = (char) number.intValue();
            case int[] ints -> ints[index] = number.intValue();
            case long[] longs -> longs[index] = number.longValue();
            case float[] floats -> floats[index] = number.floatValue();
            case double[] doubles -> doubles[index] = number.doubleValue();
            default -> throw new IllegalStateException("no test for " + array.getClass());
        }
    }

    private static Object copy(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().componentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    private static MemorySegment segment(Object array) {
        return Buffers.segment(array);
    }

    private static void assertSame(Object actual, Object expected, String what) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Array.getLength(expected); i++) {
            if (!Array.get(actual, i).equals(Array.get(expected, i))) {
                differences.add("[%d] is %s, not %s".formatted(i, Array.get(actual, i), Array.get(expected, i)));
            }
        }
        assertThat(differences).as(what).isEmpty();
    }
}
