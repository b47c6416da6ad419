package org.galerna.link;

/**
 * Where the threads of a rank sleep until something inbound may have happened. A thread first {@linkplain #prepare
 * announces} itself, then polls once more, and then either {@linkplain #await sleeps} or {@linkplain #cancel cancels}: so
 * nothing is missed. Safe for use by many threads.
 */
public interface LinkWaiter {
    /** Announces that the calling thread wants to sleep; from here on nothing inbound is missed. */
    void prepare();

    /**
     * Blocks until something inbound may have happened, somebody calls {@link #wakeUp}, or the time is over; may
     * return early for no reason. Never blocks a carrier of virtual threads.
     *
     * @param nanos longest time to wait, in nanoseconds
     */
    void await(long nanos);

    /** Takes {@link #prepare} back. */
    void cancel();

    /** Ends the sleep of every thread that has announced one. */
    void wakeUp();

    /**
     * Whether sleepers are woken, too, when a channel that gave back-pressure may take something; otherwise they have
     * to look again and again. A hint: a sleep for room still has an end.
     */
    default boolean wakesForRoom() {
        return false;
    }
}
