package org.galerna.bench.pingpong;

/** Two ends that throw a message back and forth; this object is the end that starts. */
interface Pair extends AutoCloseable {
    /** Name for the table, e.g. {@code "tcp"}. */
    String name();

    /**
     * Prepares both ends for round trips, waking them up. Every {@code prepare} is followed by the given number of
     * {@link #roundTrip}s.
     *
     * @param length bytes of each message
     * @param roundTrips how many will follow
     */
    void prepare(int length, int roundTrips);

    /** Sends a message of the prepared length and waits for the answer of the same length. */
    void roundTrip();

    @Override
    void close();
}
