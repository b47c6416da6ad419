package org.galerna.launch.watch;

import java.time.Duration;
import java.util.List;
import org.galerna.launch.report.Deadlock;

/**
 * What a process says of itself when none of its ranks can go on by itself. When it has not been asked to {@linkplain Question#confirms
 * confirm} it, it has not looked at all of its threads: there are no waiters and no doubts then.
 *
 * @param epoch as long as this number is the same, nothing has moved in between
 * @param lasting for how long nothing has moved
 * @param waiters the calls that wait, and for a rank without one a thread of it that waits
 * @param doubts what may move a rank although it does not do so now, one clause each; if there is none, only another
 *     process can
 */
public record Standstill(long epoch, Duration lasting, List<Deadlock.Waiter> waiters, List<String> doubts) {
    /** The operation of a waiter that is in no communication call. */
    static final String NO_CALL = "no call";

    /** A standstill with the lists copied. */
    public Standstill {
        waiters = List.copyOf(waiters);
        doubts = List.copyOf(doubts);
    }

    /** Whether some rank waits for a message. */
    boolean hasCall() {
        return waiters.stream().anyMatch(waiter -> !waiter.operation().equals(NO_CALL));
    }
}
