package org.galerna.microbench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Control;

/**
 * A frame through the threads link: to itself by one thread, and there and back between two. Judges what the link layer
 * costs over the bare ring ({@link RingBenchmark#spsc}, {@link RingPingPongBenchmark#ringPing}), and what it costs that
 * many threads may claim on one channel.
 */
public class FrameBenchmark extends Microbenchmark {
    /** What the links are opened with. */
    @State(Scope.Benchmark)
    public static class Options {
        /** Length of a frame in bytes. */
        @Param({"8", "48", "256"})
        public int length;

        /** Whether several threads may claim on one channel. */
        @Param({"false", "true"})
        public boolean concurrentClaims;
    }

    /** A rank that sends to itself. */
    @State(Scope.Thread)
    public static class Alone {
        private LinkPair links;
        private LinkPair.End end;

        /** Opens. */
        @Setup
        public void open(Options options) {
            links = new LinkPair(options.concurrentClaims);
            end = links.end(0, 0, options.length);
        }

        /** Closes. */
        @TearDown
        public void close() {
            links.close();
        }
    }

    /** Two ranks. */
    @State(Scope.Group)
    public static class Two {
        private LinkPair links;
        private LinkPair.End first;
        private LinkPair.End second;

        /** Opens. */
        @Setup
        public void open(Options options) {
            links = new LinkPair(options.concurrentClaims);
            first = links.end(0, 1, options.length);
            second = links.end(1, 0, options.length);
        }

        /** One frame under way at a time, in this iteration too. */
        @Setup(Level.Iteration)
        public void drain() {
            while (first.poll() + second.poll() > 0) {
                // what is left of the iteration before
            }
        }

        /** Closes. */
        @TearDown
        public void close() {
            links.close();
        }
    }

    /** One thread: claim, copy, commit, flush, poll. */
    @Benchmark
    public int toItself(Alone alone) {
        alone.end.send();
        return alone.end.poll();
    }

    /** The side that begins. */
    @Benchmark
    @Group("pingPong")
    public void ping(Two two, Control control, OwnCore core) {
        two.first.send();
        awaitFrame(two.first, control);
    }

    /** The side that answers. */
    @Benchmark
    @Group("pingPong")
    public void pong(Two two, Control control, OwnCore core) {
        awaitFrame(two.second, control);
        two.second.send();
    }

    private static void awaitFrame(LinkPair.End end, Control control) {
        while (end.poll() == 0 && !control.stopMeasurement) {
            // looks again
        }
    }
}
