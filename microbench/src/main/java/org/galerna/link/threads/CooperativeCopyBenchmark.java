package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.microbench.Microbenchmark;
import org.galerna.microbench.OwnCore;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A copy between two arrays, to and fro in turns, as a large message travels on the threads link. Judges that both ranks
 * copy, each from an end of its own. The alternatives are one thread alone, and two that take pieces of a fixed size from
 * the front as they come.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CooperativeCopyBenchmark extends Microbenchmark {
    /** Bytes copied. */
    @Param({"65536", "1048576", "4194304"})
    public int length;

    private final AtomicReference<@Nullable Runnable> helpWanted = new AtomicReference<>();
    private MemorySegment here;
    private MemorySegment there;
    private boolean back;
    private Thread helper;
    private volatile boolean ended;

    /** Starts the waiting rank. */
    @Setup
    public void start(OwnCore core) {
        byte[] array = new byte[length];
        new Random(1).nextBytes(array);
        here = MemorySegment.ofArray(array);
        there = MemorySegment.ofArray(array.clone());
        helper = Thread.ofPlatform().daemon().name("helper").start(this::help);
    }

    private void help() {
        OwnCore.bind(1); // the benchmark's own thread is on the first
        while (!ended) {
            Runnable help = helpWanted.getAcquire();
            if (help == null) {
                Thread.onSpinWait();
            } else {
                help.run();
                helpWanted.compareAndSet(help, null);
            }
        }
    }

    /** One thread. */
    @Benchmark
    public void alone() {
        MemorySegment.copy(source(), 0, target(), 0, length);
        back = !back;
    }

    /** Two threads, each from its end. */
    @Benchmark
    public void fromBothEnds() {
        CooperativeCopy copy = new CooperativeCopy().begin(source(), target(), length, true);
        Runnable help = copy::help;
        helpWanted.set(help);
        copy.complete();
        helpWanted.compareAndSet(help, null);
        back = !back;
    }

    /** Two threads, pieces of 32 KiB as they come. */
    @Benchmark
    public void inPieces() {
        PiecewiseCopy copy = new PiecewiseCopy(source(), target());
        Runnable help = copy::work;
        helpWanted.set(help);
        copy.complete();
        helpWanted.compareAndSet(help, null);
        back = !back;
    }

    private MemorySegment source() {
        return back ? there : here;
    }

    private MemorySegment target() {
        return back ? here : there;
    }

    /** Ends the waiting rank. */
    @TearDown
    public void stop() throws InterruptedException {
        ended = true;
        helper.join();
    }
}
