package org.galerna.microbench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.memory.Buffers;
import org.galerna.memory.SlotMemory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A copy out of an array into memory outside the heap, in the cache. Judges that a buffer is an object and two numbers
 * (run it with {@code -prof gc} to see what a segment allocates that is passed to a method which is not inlined), and
 * that the shortest copies are made in place.
 */
@State(Scope.Thread)
public class BuffersBenchmark extends Microbenchmark {
    /** The type of the array. */
    public enum Type {
        /** {@code byte[]}. */
        BYTES,
        /** {@code double[]}; of a single byte, which is no whole element, the slow way is taken. */
        DOUBLES
    }

    /** The type of the array. */
    @Param({"BYTES", "DOUBLES"})
    public Type array;

    /** Bytes copied. */
    @Param({"1", "8", "16", "32", "64", "1024", "65536"})
    public int length;

    private Object source;
    private Object other;
    private MemorySegment target;
    private SlotMemory slots;

    /** Arrays without zeros. */
    @Setup
    public void create() {
        source = filled();
        other = filled();
        target = Arena.ofAuto().allocate(length, 64);
        slots = new SlotMemory(length, 64);
    }

    private Object filled() {
        if (array == Type.BYTES) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) 7);
            return bytes;
        }
        double[] doubles = new double[Math.max(1, length / Double.BYTES)];
        Arrays.fill(doubles, Math.PI);
        return doubles;
    }

    /** As the device does it. */
    @Benchmark
    public void buffers() {
        Buffers.copy(source, 0, target, 0, length);
    }

    /** As a rank shows a value to others on its heap. */
    @Benchmark
    public void slots() {
        slots.write(source, 0, 0, length);
    }

    /** Segments alone. */
    @Benchmark
    public void segments() {
        MemorySegment.copy(segment(), 0, target, 0, length);
    }

    private MemorySegment segment() {
        return source instanceof byte[] bytes ? MemorySegment.ofArray(bytes) : MemorySegment.ofArray((double[]) source);
    }

    /** Array to array: the least that a copy of this length costs. */
    @Benchmark
    public void arraycopy() {
        if (source instanceof byte[] bytes) {
            System.arraycopy(bytes, 0, (byte[]) other, 0, length);
        } else {
            System.arraycopy((double[]) source, 0, (double[]) other, 0, Math.max(1, length / Double.BYTES));
        }
    }

    /** An object and two numbers, through a call. */
    @Benchmark
    public byte bufferThroughCall() {
        return callee(source, 0, length);
    }

    /** A segment through the same call. */
    @Benchmark
    public byte segmentThroughCall() {
        return callee(segment());
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private byte callee(Object buffer, long offset, long bytes) {
        Buffers.copy(buffer, offset, target, 0, bytes);
        return target.get(JAVA_BYTE, 0);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private byte callee(MemorySegment buffer) {
        MemorySegment.copy(buffer, 0, target, 0, length);
        return target.get(JAVA_BYTE, 0);
    }
}
