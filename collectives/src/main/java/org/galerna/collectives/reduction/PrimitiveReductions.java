package org.galerna.collectives.reduction;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The predefined operations on arrays of primitive types. All of them commute, and all ranks of a JVM share them.
 *
 * <p>{@code SUM}, {@code PROD}, {@code MAX} and {@code MIN} exist for all types but boolean; the bitwise and the logical
 * ones for the integer types and {@code char}; {@code MAXLOC} and {@code MINLOC} for {@code short}, {@code int},
 * {@code long}, {@code float} and {@code double}, where an element is a pair of two numbers of the array. Integers
 * overflow silently; of equal values, the location is the smallest; a NaN wins over every number.
 */
public final class PrimitiveReductions {
    private static final Map<Class<?>, Map<Operator, Reduction>> ALL = new HashMap<>();

    static {
        register(byte[].class, Byte.BYTES, ByteLoops::of);
        register(short[].class, Short.BYTES, ShortLoops::of);
        register(char[].class, Character.BYTES, CharLoops::of);
        register(int[].class, Integer.BYTES, IntLoops::of);
        register(long[].class, Long.BYTES, LongLoops::of);
        register(float[].class, Float.BYTES, FloatLoops::of);
        register(double[].class, Double.BYTES, DoubleLoops::of);
    }

    private PrimitiveReductions() {}

    private static <T> void register(Class<T> type, int size, Function<Operator, @Nullable Loop<T>> loops) {
        Map<Operator, Reduction> reductions = new EnumMap<>(Operator.class);
        ThreadLocal<Pieces<T>> pieces = Pieces.ofThreads(type, size);
        for (Operator operator : Operator.values()) {
            Loop<T> loop = loops.apply(operator);
            if (loop != null) {
                int numbers = numbersPerElement(operator);
                reductions.put(operator, new ArrayReduction<>(operator, type, size, numbers, loop, pieces));
            }
        }
        ALL.put(type, reductions);
    }

    private static int numbersPerElement(Operator operator) {
        return operator == Operator.MAXLOC || operator == Operator.MINLOC ? 2 : 1;
    }

    /** True if there is such a reduction. */
    public static boolean exists(Operator operator, Class<?> arrayType) {
        return find(operator, arrayType) != null;
    }

    /**
     * The reduction by an operator of the elements of an array type, e.g. {@code double[].class}.
     *
     * @throws IllegalArgumentException if the operator is not defined for the type
     */
    public static Reduction of(Operator operator, Class<?> arrayType) {
        Reduction reduction = find(operator, arrayType);
        if (reduction == null) {
            throw new IllegalArgumentException(
                    operator + " is not defined for " + arrayType.getSimpleName() + "; defined are "
                            + Arrays.stream(Operator.values())
                                    .filter(other -> exists(other, arrayType))
                                    .map(Operator::name)
                                    .collect(Collectors.joining(", ")));
        }
        return reduction;
    }

    /** As {@link #of}, but null if the operator is not defined for the type. */
    public static @Nullable Reduction find(Operator operator, Class<?> arrayType) {
        Map<Operator, Reduction> reductions = ALL.get(arrayType);
        return reductions == null ? null : reductions.get(operator);
    }
}
