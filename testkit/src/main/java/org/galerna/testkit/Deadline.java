package org.galerna.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A point in time by which what a test waits for has to have happened. */
public final class Deadline {
    private final long end;
    private final Duration duration;

    private Deadline(Duration duration) {
        this.duration = duration;
        this.end = System.nanoTime() + duration.toNanos();
    }

    /** A deadline from now on. */
    public static Deadline after(Duration duration) {
        return new Deadline(duration);
    }

    /**
     * Looks again and again until the condition holds, letting other threads run in between.
     *
     * @param what the condition in words
     * @throws AssertionError if it does not hold in time, or the thread is interrupted
     */
    public void await(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            check(what);
            Thread.yield();
        }
    }

    /**
     * Fails if the time is over.
     *
     * @param what what is waited for, in words
     */
    public void check(String what) {
        if (System.nanoTime() - end > 0) {
            throw new AssertionError("not within " + duration.toMillis() + " ms: " + what);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new AssertionError("interrupted while waiting: " + what);
        }
    }
}
