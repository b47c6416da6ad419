package org.galerna.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * A stream of records from core to core, in records per microsecond (the lines that end in {@code Send}). Judges the
 * ring's layout: two records of up to 24 bytes to a cache line, one of up to 48, longer ones in an area of their own. Two
 * producers are two threads of which one also consumes, as ranks do, so that two cores suffice.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RingStreamBenchmark extends Microbenchmark {
    /** Records that one thread takes before it sends again. */
    private static final int MOST_TAKEN = 64;

    /** The rings between the threads of a group. */
    @State(Scope.Group)
    public static class Rings {
        /** Length of a record in bytes. */
        @Param({"8", "24", "48", "256", "4096"})
        public int length;

        private Pipe spsc;
        private Pipe mpsc;

        /** Empty rings. */
        @Setup
        public void create() {
            spsc = Pipe.spsc(length);
            mpsc = Pipe.mpsc(length);
        }
    }

    /** The only producer. */
    @Benchmark
    @Group("spsc")
    public void spscSend(Rings rings, Control control, OwnCore core) {
        rings.spsc.send(control);
    }

    /** Its consumer. */
    @Benchmark
    @Group("spsc")
    public void spscReceive(Rings rings, Control control, OwnCore core) {
        rings.spsc.receive(control);
    }

    /** The only producer of a ring for several. */
    @Benchmark
    @Group("mpsc")
    public void mpscSend(Rings rings, Control control, OwnCore core) {
        rings.mpsc.send(control);
    }

    /** Its consumer. */
    @Benchmark
    @Group("mpsc")
    public void mpscReceive(Rings rings, Control control, OwnCore core) {
        rings.mpsc.receive(control);
    }

    /** One of two producers. */
    @Benchmark
    @Group("mpscOfTwo")
    public void otherSend(Rings rings, Control control, OwnCore core) {
        rings.mpsc.send(control);
    }

    /** The other one, which also consumes. */
    @Benchmark
    @Group("mpscOfTwo")
    public void consumerSend(Rings rings, Control control, OwnCore core) {
        do {
            for (int taken = 0; taken < MOST_TAKEN && rings.mpsc.take(); taken++) {
                // makes room
            }
        } while (!rings.mpsc.offer() && !control.stopMeasurement);
    }
}
