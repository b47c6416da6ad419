package org.galerna.microbench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A record through a ring by one thread: what claim, commit, poll and release cost in instructions, where no cache line
 * has to travel. Judges the records of three kinds (half a line, a line, data area) and the two kinds of producers; a
 * claim of the one that may be shared is a compare-and-set. {@link #bytesAlone} is the copying that is part of each.
 */
@State(Scope.Thread)
public class RingBenchmark extends Microbenchmark {
    /** Length of a record in bytes. */
    @Param({"8", "24", "48", "256", "4096"})
    public int length;

    private Pipe spsc;
    private Pipe mpsc;
    private Bytes source;
    private Bytes target;
    private MemorySegment memory;

    /** Empty rings. */
    @Setup
    public void create() {
        spsc = Pipe.spsc(length);
        mpsc = Pipe.mpsc(length);
        source = new Bytes(length);
        target = new Bytes(length);
        memory = Arena.ofAuto().allocate(length, 128);
    }

    /** Through the ring of one producer. */
    @Benchmark
    public boolean spsc() {
        return spsc.offer() && spsc.take();
    }

    /** Through the ring of several producers. */
    @Benchmark
    public boolean mpsc() {
        return mpsc.offer() && mpsc.take();
    }

    /** In and out without a ring. */
    @Benchmark
    public void bytesAlone() {
        source.copyTo(memory, 0);
        target.copyFrom(memory, 0, length);
    }
}
