package org.galerna.device.matching.sending;

/**
 * Counts how often somebody has made progress. Messages that are sent without blocking belong together until the number
 * changes. A racy count: a lost update only keeps messages together for longer.
 */
public final class Rounds {
    private int number;

    /** Somebody makes progress. */
    public void next() {
        number++;
    }

    /** The number of the last round. */
    int number() {
        return number;
    }
}
