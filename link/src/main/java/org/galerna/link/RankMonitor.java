package org.galerna.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rank is doing, readable by any thread at any time without disturbing the rank. */
public interface RankMonitor {
    /** The rank that is described. */
    int rank();

    /** Number of messages that this rank has sent or received so far; it standing still is how a stall shows. */
    long progress();

    /** The calls that threads of this rank are blocked in right now; empty if none is. */
    List<Blocked> blocked();

    /** True once the rank has left the job in good order (finalized). */
    boolean finished();

    /**
     * Tells the rank that its job is over although it has not finished: calls that its threads are blocked in, and those
     * that would block later, end with an exception soon. Without this, threads of a job that was ended by force would
     * wait for ever in a JVM that goes on.
     */
    default void giveUp() {}

    /**
     * Tells the network that the rank has ended although it has not finished: peers get what it has sent, and learn that
     * no more will come. Threads of the rank that are left are not disturbed.
     */
    default void abandon() {}

    /**
     * One thread that waits inside a communication call.
     *
     * @param thread the waiting thread
     * @param operation what it waits for, in words, e.g. {@code "receive from rank 2, tag 7"}
     * @param peer the rank it waits for, or {@link #ANYBODY}
     * @param number which of the rank's calls it is: no other call has the same
     * @param looks how often the call has looked for everything that could end it, and has found nothing. If this grows
     *     by two, a look has begun and ended meanwhile.
     * @param nanos for how long it has waited
     * @param collective what the call is a part of; null if it is no collective
     */
    record Blocked(
            Thread thread,
            String operation,
            int peer,
            long number,
            long looks,
            long nanos,
            @Nullable Collective collective) {
        /** The peer of a call that any rank could complete. */
        public static final int ANYBODY = -1;

        /** A call that is no part of a collective. */
        public Blocked(Thread thread, String operation, int peer, long number, long looks) {
            this(thread, operation, peer, number, looks, 0, null);
        }
    }
}
