package org.galerna.messaging;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The waiting of one thread for something that other nodes do. It polls meanwhile: whatever it waits for can come, even if
 * every other thread of the node waits as well. Where several wait for the same, see {@link Line}.
 */
final class Turn {
    /** Some microseconds: a receiver that is at work has a window full of messages, and needs the core more. */
    private static final int SPINS = 50;

    private static final int YIELDS = 10;
    private static final long SHORTEST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 100_000;

    private Engine engine;
    private Outbound outbound;
    private @Nullable Line line;
    private long deadline;
    private int round;
    private long nanos;
    private boolean awaiting;
    private boolean counts;

    @SuppressWarnings("NullAway.Init") // begun before it is used
    Turn() {}

    /**
     * Begins to wait for something else.
     *
     * @param others those who wait for the same, of whom one looks at a time; null to look in any case
     * @param ofSend whether a send waits, which is counted
     */
    void begin(Engine node, long end, Outbound connection, @Nullable Line others, boolean ofSend) {
        engine = node;
        deadline = end;
        outbound = connection;
        line = others;
        counts = ofSend;
        round = 0;
        nanos = SHORTEST_NANOS;
    }

    /** Whether the thread waits at the moment, or runs a serializer for what has come meanwhile. */
    boolean isAwaiting() {
        return awaiting;
    }

    /**
     * Waits a little.
     *
     * @throws MessagingException if the time is over
     */
    void await() {
        if (round == 0) {
            SendScratch scratch = SendScratch.ofThread();
            scratch.giveUpAdvance();
            if (counts && scratch.isFirstWait()) {
                outbound.countBlocked();
            }
        }
        Line others = line;
        if (System.nanoTime() - deadline > 0 || (others != null && !others.enter(false, deadline))) {
            throw late();
        }
        awaitAnyway();
    }

    static MessagingException late() {
        return new MessagingException(
                MessagingException.Reason.TIMEOUT, "the receiver has not made room for a message in time");
    }

    void awaitAnyway() {
        if (round++ == 0) {
            outbound.push();
        }
        awaiting = true;
        int found;
        try {
            found = engine.poller().help();
        } finally {
            awaiting = false;
        }
        if (found > 0) {
            return;
        }
        // that one thread polls is enough: the others only keep the receiver from making room
        if (found != Poller.BUSY && round < SPINS) {
            Thread.onSpinWait();
        } else if (found != Poller.BUSY && round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            outbound.push();
            LockSupport.parkNanos(this, nanos);
            nanos = Math.min(LONGEST_NANOS, 2 * nanos);
        }
    }
}
