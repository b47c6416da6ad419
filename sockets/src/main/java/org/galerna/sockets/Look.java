package org.galerna.sockets;

/**
 * How long a thread looks for what it waits for before it sleeps, which pays while the other end runs on another core and
 * answers soon. The time is learnt: found nothing, it halves, down to none; found something, it is as long as ever; and now
 * and then it is tried again. For one thread at a time.
 */
final class Look {
    private static final long MOST_NANOS = 20_000;
    private static final long LEAST_NANOS = 1_000;
    private static final int TRIAL = 64;

    private long nanos = MOST_NANOS;
    private int skipped;

    /** Looks for a while; true as soon as the condition holds. */
    boolean until(Waiter.Condition condition) {
        if (nanos == 0) {
            if (++skipped < TRIAL) {
                return false;
            }
            skipped = 0;
        }
        // a trial has to outlast the other end's waking up: while both sleep, no answer comes any sooner
        long end = System.nanoTime() + (nanos == 0 ? MOST_NANOS : nanos);
        int round = 0;
        do {
            if (condition.holds()) {
                nanos = MOST_NANOS;
                return true;
            }
            Thread.onSpinWait();
        } while ((++round & 7) != 0 || System.nanoTime() - end < 0);
        nanos = nanos / 2 < LEAST_NANOS ? 0 : nanos / 2;
        return false;
    }
}
