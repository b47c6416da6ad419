package org.galerna.bench.galerna;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.galerna.bench.suite.Command;

/**
 * Two threads that answer each other by a number, each in a cache line of its own: the limit of anything that two cores
 * can tell each other. The length of a message does not matter up to that of a line.
 */
final class CacheLineMessenger extends Messenger {
    private static final int LINE_BYTES = 64;
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Line.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int rank;
    private final Line mine;
    private final Line theirs;
    private final SharedMaximum shared;
    private long sent;
    private long received;

    @SuppressWarnings({"unused", "UnusedVariable"})
    private static class LineStart {
        private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    }

    /** What one thread tells the other. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    static final class Line extends LineStart {
        private long value;
        private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;
    }

    CacheLineMessenger(int rank, Line[] lines, SharedMaximum shared) {
        this.rank = rank;
        this.mine = lines[rank];
        this.theirs = lines[1 - rank];
        this.shared = shared;
    }

    @Override
    int rank() {
        return rank;
    }

    @Override
    int size() {
        return 2;
    }

    @Override
    Optional<String> objection(Command command) {
        if (!command.benchmark().endsWith("latency")) {
            return Optional.of("a cache line has a latency alone");
        }
        return command.bytes() <= LINE_BYTES
                ? Optional.empty()
                : Optional.of("a cache line holds " + LINE_BYTES + " bytes");
    }

    @Override
    void send(int peer) {
        VALUE.setRelease(mine, ++sent);
    }

    @Override
    void receive(int peer) {
        long awaited = ++received;
        // the other side may be ahead by one: what ends a loop is followed by a barrier
        while ((long) VALUE.getAcquire(theirs) < awaited) {
            // the bare line: no pause, no yield
        }
    }

    @Override
    void sendWindow(int peer, int window) {
        throw new IllegalStateException("a second number would overwrite the first");
    }

    @Override
    void receiveWindow(int peer, int window) {
        throw new IllegalStateException("a second number would overwrite the first");
    }

    @Override
    void exchangeWindows(int peer, int window) {
        throw new IllegalStateException("a second number would overwrite the first");
    }

    @Override
    void acknowledge(int peer) {
        send(peer);
    }

    @Override
    void awaitAcknowledgement(int peer) {
        receive(peer);
    }

    @Override
    double maximum(double value) {
        return shared.over(this, value);
    }
}
