package org.galerna.microbench;

import java.util.Random;
import org.galerna.collectives.reduction.Operator;
import org.galerna.collectives.reduction.PrimitiveReductions;
import org.galerna.collectives.reduction.Reduction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Every predefined operator on 1024 numbers of type {@code int}; the last two see them as 512 pairs. Judges which of the
 * plain loops the compiler vectorizes: those take about as long as {@code SUM}.
 */
@State(Scope.Thread)
public class OperatorBenchmark extends Microbenchmark {
    private static final int NUMBERS = 1024;

    /** The operator. */
    @Param({"SUM", "PROD", "MAX", "MIN", "BAND", "BOR", "BXOR", "LAND", "LOR", "LXOR", "MAXLOC", "MINLOC"})
    public Operator operator;

    private Reduction reduction;
    private int elements;
    private int[] in;
    private int[] inOut;

    /** Vectors of random numbers. */
    @Setup
    public void create() {
        reduction = PrimitiveReductions.of(operator, int[].class);
        elements = NUMBERS * Integer.BYTES / reduction.elementSize();
        Random random = new Random(1);
        in = random.ints(NUMBERS).toArray();
        inOut = random.ints(NUMBERS).toArray();
    }

    /** As the collectives call it. */
    @Benchmark
    public void apply() {
        reduction.apply(in, 0, inOut, 0, elements);
    }
}
