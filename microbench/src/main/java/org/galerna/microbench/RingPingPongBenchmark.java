package org.galerna.microbench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * A record there and one back, from core to core: a whole round trip. {@link #linePing} answers a number by a number, each
 * in a line of its own, which is the limit. Judges that a short record lies in the line with the word that commits it: then
 * one line travels, and the ring costs little more than the limit.
 */
public class RingPingPongBenchmark extends Microbenchmark {
    /** A ring for each direction. */
    @State(Scope.Group)
    public static class Rings {
        /** Length of a record in bytes. */
        @Param({"8", "24", "48", "256", "4096"})
        public int length;

        private Pipe there;
        private Pipe back;

        /** Empty rings. */
        @Setup
        public void create() {
            there = Pipe.spsc(length);
            back = Pipe.spsc(length);
        }

        /** One record under way at a time, in this iteration too. */
        @Setup(Level.Iteration)
        public void drain() {
            there.drain();
            back.drain();
        }
    }

    /** A line for each direction. */
    @State(Scope.Group)
    public static class Lines {
        private final Line there = new Line();
        private final Line back = new Line();
    }

    /** The side that begins. */
    @Benchmark
    @Group("ring")
    public void ringPing(Rings rings, Control control, OwnCore core) {
        rings.there.send(control);
        rings.back.receive(control);
    }

    /** The side that answers. */
    @Benchmark
    @Group("ring")
    public void ringPong(Rings rings, Control control, OwnCore core) {
        rings.there.receive(control);
        rings.back.send(control);
    }

    /** The side that begins. */
    @Benchmark
    @Group("line")
    public void linePing(Lines lines, Control control, OwnCore core) {
        long turn = lines.there.acquire() + 1;
        lines.there.release(turn);
        while (lines.back.acquire() != turn && !control.stopMeasurement) {
            // the bare line: no pause, no yield
        }
    }

    /** The side that answers. */
    @Benchmark
    @Group("line")
    public void linePong(Lines lines, Control control, OwnCore core) {
        long answered = lines.back.acquire();
        long turn = lines.there.acquire();
        while (turn == answered && !control.stopMeasurement) {
            turn = lines.there.acquire();
        }
        lines.back.release(turn);
    }
}
