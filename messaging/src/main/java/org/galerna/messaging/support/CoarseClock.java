package org.galerna.messaging.support;

import java.util.concurrent.TimeUnit;

/**
 * The time in milliseconds, as one thread of the node reads it about once in a millisecond. Reading it takes no longer than
 * reading a field. Any thread reads; one thread ticks.
 */
public final class CoarseClock {
    private volatile long now = read();

    /** A clock that shows the time of now until it ticks. */
    public CoarseClock() {}

    private static long read() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** The time of the last tick. */
    public long now() {
        return now;
    }

    /** Reads the time. */
    public void tick() {
        now = read();
    }
}
