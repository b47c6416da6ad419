package org.galerna.messaging;

import java.util.concurrent.locks.LockSupport;

/**
 * The waiting of one thread for something that other nodes do. It polls meanwhile: whatever it waits for can come, even if
 * every other thread of the node waits as well.
 */
final class Turn {
    private static final int SPINS = 200;
    private static final int YIELDS = 50;
    /** Looks in a row at which another thread polled: then it is enough that one of them keeps a core from the receiver. */
    private static final int MOST_BUSY = 4;

    private static final long SHORTEST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 200_000;

    private final Engine engine;
    private final long deadline;
    private final Outbound outbound;
    private int round;
    private int busy;
    private long nanos = SHORTEST_NANOS;

    Turn(Engine engine, long deadline, Outbound outbound) {
        this.engine = engine;
        this.deadline = deadline;
        this.outbound = outbound;
    }

    /**
     * Waits a little.
     *
     * @throws MessagingException if the time is over
     */
    void await() {
        if (System.nanoTime() - deadline > 0) {
            throw new MessagingException(
                    MessagingException.Reason.TIMEOUT, "the receiver has not made room for a message in time");
        }
        awaitAnyway();
    }

    void awaitAnyway() {
        if (round++ == 0) {
            outbound.push();
        }
        int found = engine.poller().help();
        if (found > 0) {
            busy = 0;
            return;
        }
        busy = found == Poller.BUSY ? busy + 1 : 0;
        if (busy < MOST_BUSY && round < SPINS) {
            Thread.onSpinWait();
        } else if (busy < MOST_BUSY && round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            outbound.push();
            LockSupport.parkNanos(this, nanos);
            nanos = Math.min(LONGEST_NANOS, 2 * nanos);
        }
    }
}
