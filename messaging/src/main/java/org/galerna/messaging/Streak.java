package org.galerna.messaging;

import org.jspecify.annotations.Nullable;

/**
 * One thread's sending to one connection: notices when short messages follow each other fast enough to be gathered, and
 * when they do not any more.
 */
final class Streak {
    private static final int LENGTH = 32;

    /**
     * Time between two messages of all threads, on the average, below which it pays to gather them; nanoseconds. Of all
     * threads, because one of many that share few cores never seems fast.
     */
    private static final long FAST_NANOS = 1_000;

    final Outbound outbound;

    /** Where the messages of this thread are gathered, or were until they came more slowly. */
    @Nullable
    Gathering gathering;

    /** Whether they are gathered at present; then there is a gathering. */
    boolean gathers;

    private int count;

    Streak(Outbound outbound) {
        this.outbound = outbound;
    }

    /** Counts a message. True if it is one of many. */
    boolean isFast() {
        if (++count < LENGTH) {
            return false;
        }
        count = 0;
        long now = System.nanoTime(); // the clock takes as long as half a message: it is read now and then
        return now - outbound.count(now) < LENGTH * FAST_NANOS;
    }

    /** The thread has paused: from here on it has to be fast again before its messages are gathered. */
    void restart() {
        gathers = false;
        count = 0;
    }
}
