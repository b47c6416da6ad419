package org.galerna.microbench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.memory.Buffers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The sum of two vectors. Judges that a reduction is a plain loop over arrays behind one interface: {@link #loop} is the
 * same loop without the interface, {@link #oneByOne} an operation that is called for each element.
 */
@State(Scope.Thread)
public class ReductionBenchmark extends Microbenchmark {
    /** The type of the elements. */
    public enum Type {
        /** {@code double}. */
        DOUBLE,
        /** {@code int}. */
        INT,
        /** {@code long}. */
        LONG
    }

    /** The type of the elements. */
    @Param({"DOUBLE", "INT", "LONG"})
    public Type type;

    /** Elements of each vector. */
    @Param({"1024", "131072"})
    public int count;

    /** What {@link #elsewhere} starts with in one of the arrays. */
    private static final int START = 3;

    private Reduction sum;
    private Object in;
    private Object inOut;
    private MemorySegment inSegment;
    private MemorySegment inOutSegment;

    /** Vectors of ones. */
    @Setup
    public void create() {
        in = ones(START + count);
        inOut = ones(count);
        sum = PrimitiveReductions.of(Operator.SUM, in.getClass());
        inSegment = outsideTheHeap(in);
        inOutSegment = outsideTheHeap(inOut);
    }

    private Object ones(int length) {
        switch (type) {
            case DOUBLE -> {
                double[] array = new double[length];
                Arrays.fill(array, 1);
                return array;
            }
            case INT -> {
                int[] array = new int[length];
                Arrays.fill(array, 1);
                return array;
            }
            default -> {
                long[] array = new long[length];
                Arrays.fill(array, 1);
                return array;
            }
        }
    }

    private static MemorySegment outsideTheHeap(Object array) {
        MemorySegment heap = Buffers.segment(array);
        return Arena.ofAuto().allocate(heap.byteSize(), 64).copyFrom(heap);
    }

    /** As the collectives call it. */
    @Benchmark
    public void arrays() {
        sum.apply(in, 0, inOut, 0, count);
    }

    /** Operands at other indexes of the arrays: in pieces, since no vectors are made of a loop with two indexes. */
    @Benchmark
    public void elsewhere() {
        sum.apply(in, (long) START * sum.elementSize(), inOut, 0, count);
    }

    /** Memory outside the heap, which is copied to arrays in pieces and back. */
    @Benchmark
    public void segments() {
        sum.apply(inSegment, 0, inOutSegment, 0, count);
    }

    /** Without the interface: the limit. */
    @Benchmark
    public void loop() {
        switch (type) {
            case DOUBLE -> add((double[]) in, (double[]) inOut);
            case INT -> add((int[]) in, (int[]) inOut);
            default -> add((long[]) in, (long[]) inOut);
        }
    }

    private static void add(double[] from, double[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    private static void add(int[] from, int[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    private static void add(long[] from, long[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    /** One call of the operation for each element. */
    @Benchmark
    public void oneByOne() {
        int size = sum.elementSize();
        for (int i = 0; i < count; i++) {
            sum.apply(in, (long) i * size, inOut, (long) i * size, 1);
        }
    }
}
