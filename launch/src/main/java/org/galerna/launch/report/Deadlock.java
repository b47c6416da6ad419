package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * A state in which no rank of a job can go on: each has ended or waits for a message.
 *
 * @param lasting for how long nothing has moved
 * @param waiters the calls that wait, at least one for each rank that has not ended, in the order of the ranks
 * @param ended the ranks that have ended
 * @param cycle ranks of which each waits for the next and the last for the first; empty if there is no such cycle
 */
public record Deadlock(Duration lasting, List<Waiter> waiters, List<Integer> ended, List<Integer> cycle) {
    /** A deadlock with the lists copied. */
    public Deadlock {
        waiters = List.copyOf(waiters);
        ended = List.copyOf(ended);
        cycle = List.copyOf(cycle);
    }

    /**
     * A thread that waits in a call.
     *
     * @param rank its rank
     * @param thread its name
     * @param operation what it waits for, in words, e.g. {@code "receive from rank 1, tag 7"}
     * @param peer the rank it waits for, or {@link #ANYBODY}
     * @param at where the program has made the call, e.g. {@code "Main.main(Main.java:12)"}; empty if unknown
     * @param collective what the call is a part of; null if it is no collective
     */
    public record Waiter(
            int rank,
            String thread,
            String operation,
            int peer,
            String at,
            @Nullable Collective collective) {
        /** The peer of a call that any rank could complete. */
        public static final int ANYBODY = -1;

        /** A thread that waits, and not in a collective. */
        public Waiter(int rank, String thread, String operation, int peer, String at) {
            this(rank, thread, operation, peer, at, null);
        }
    }
}
