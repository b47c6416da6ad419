package org.galerna.microbench;

import org.galerna.memory.idle.IdleStrategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Two threads that answer each other by a number, a round trip each, on two cores and on one. Judges that the number of
 * spins learns: spinning in full is right on two cores and wrong on one, yielding at once is the other way round.
 */
public class WaitingBenchmark extends Microbenchmark {
    /** How the threads wait. */
    public enum Policy {
        /** As a rank waits. */
        LEARNING,
        /** Every wait spins in full before it yields. */
        SPINNING,
        /** Every look is followed by a yield. */
        YIELDING
    }

    /** The two threads. */
    @State(Scope.Group)
    public static class Exchange {
        /** How they wait. */
        @Param({"LEARNING", "SPINNING", "YIELDING"})
        public Policy policy;

        /** On how many cores they are. */
        @Param({"2", "1"})
        public int cores;

        private final Line there = new Line();
        private final Line back = new Line();
    }

    /** One of the two. */
    @State(Scope.Thread)
    public static class Side {
        private static final int SPINS = 500;
        private static final int YIELDS = 300;

        private Policy policy;
        private IdleStrategy waiting;

        /** Goes to its core. */
        @Setup(Level.Iteration)
        public void bind(ThreadParams thread, Exchange exchange) {
            OwnCore.bind(thread.getThreadIndex() % exchange.cores);
        }

        /** A policy of its own, as each rank has one. */
        @Setup
        public void create(Exchange exchange) {
            policy = exchange.policy;
            waiting = IdleStrategy.spinThenYield(policy == Policy.YIELDING ? 0 : SPINS, YIELDS);
        }

        /** Waits until the line differs from what it was. */
        private long awaitOther(Line line, long old, Control control) {
            int rounds = 0;
            long value = line.acquire();
            while (value == old && !control.stopMeasurement) {
                if (!waiting.pause(rounds++)) {
                    Thread.yield(); // where a rank would go to sleep
                }
                value = line.acquire();
            }
            if (policy == Policy.LEARNING) {
                waiting.over(rounds);
            }
            return value;
        }
    }

    /** The side that begins. */
    @Benchmark
    @Group("exchange")
    public void ping(Exchange exchange, Side side, Control control) {
        long answered = exchange.back.acquire();
        exchange.there.release(exchange.there.acquire() + 1);
        side.awaitOther(exchange.back, answered, control);
    }

    /** The side that answers. */
    @Benchmark
    @Group("exchange")
    public void pong(Exchange exchange, Side side, Control control) {
        exchange.back.release(side.awaitOther(exchange.there, exchange.back.acquire(), control));
    }
}
