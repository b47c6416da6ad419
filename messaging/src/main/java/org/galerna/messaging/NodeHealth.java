package org.galerna.messaging;

import java.time.Duration;

/**
 * How a node is at the moment.
 *
 * @param closed whether it is closed, or being closed
 * @param threads threads that it needs: its handlers, and one that looks after them
 * @param missingThreads threads that have died and could not be replaced yet
 * @param replacedThreads threads that have died since it started and were replaced; what receivers throw kills none
 * @param lastDeath what the last one of them has died of; empty if none has
 * @param busyHandlers handlers that run receivers; messages wait when all do
 * @param longestBusy for how long one of them has not been done with what it has taken
 */
public record NodeHealth(
        boolean closed,
        int threads,
        int missingThreads,
        long replacedThreads,
        String lastDeath,
        int busyHandlers,
        Duration longestBusy) {
    /** Whether it is open and has all of its threads. */
    public boolean isComplete() {
        return !closed && missingThreads == 0;
    }
}
