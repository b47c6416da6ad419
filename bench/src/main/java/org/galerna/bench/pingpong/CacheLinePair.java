package org.galerna.bench.pingpong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Two threads that answer each other by a number, each in a cache line of its own: the limit of anything that two cores
 * can tell each other. The length of the message does not matter.
 */
final class CacheLinePair implements Pair {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Line.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final ExecutorService other = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("cache-line-answerer").factory());
    private final Line ping = new Line();
    private final Line pong = new Line();
    private long turn;

    @SuppressWarnings({"unused", "UnusedVariable"})
    private static class LineStart {
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    }

    @SuppressWarnings({"unused", "UnusedVariable"})
    private static final class Line extends LineStart {
        private long value;
        private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
    }

    @Override
    public String name() {
        return "cache line";
    }

    @Override
    public void prepare(int length, int roundTrips) {
        long from = turn;
        other.execute(() -> {
            for (long each = from + 1; each <= from + roundTrips; each++) {
                while ((long) VALUE.getAcquire(ping) != each) {
                    // the bare line: no pause, no yield
                }
                VALUE.setRelease(pong, each);
            }
        });
    }

    @Override
    public void roundTrip() {
        long mine = ++turn;
        VALUE.setRelease(ping, mine);
        while ((long) VALUE.getAcquire(pong) != mine) {
            // the bare line: no pause, no yield
        }
    }

    @Override
    public void close() {
        other.close();
    }
}
