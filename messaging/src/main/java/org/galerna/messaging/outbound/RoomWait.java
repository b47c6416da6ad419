package org.galerna.messaging.outbound;

import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.waiting.Progress;
import org.galerna.messaging.waiting.WaitLine;
import org.jspecify.annotations.Nullable;

/**
 * The waiting of one thread for something that other nodes do. It polls meanwhile: whatever it waits for can come, even if
 * every other thread of the node waits as well. Where several wait for the same, see {@link WaitLine}.
 */
public final class RoomWait {
    /** Some microseconds: a receiver that is at work has a window full of messages, and needs the core more. */
    private static final int SPINS = 50;

    private static final int YIELDS = 10;
    private static final long SHORTEST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 100_000;

    /** What wants room. */
    public interface Sender {
        /** Sets everything moving that was sent so far. */
        void push();

        /** A send has to wait. */
        void countBlocked();

        /** A send has waited so long, perhaps not for the last time. */
        void countWaited(long nanos);
    }

    /** The thread that waits. */
    public interface Waiter {
        /** It may be about to wait for other nodes. */
        void giveUpAdvance();

        /** Whether its send has not waited before. */
        boolean isFirstWait();
    }

    private Waiter waiter;
    private Progress progress;
    private Sender sender;
    private @Nullable WaitLine line;
    private long deadline;
    private int round;
    private long nanos;
    private boolean awaiting;
    private boolean counts;

    @SuppressWarnings("NullAway.Init") // begun before it is used
    public RoomWait() {}

    /**
     * Begins to wait for something else.
     *
     * @param others threads that wait for the same, one of which looks at a time; null to look in any case
     * @param ofSend whether a send waits, which is counted
     */
    void begin(Waiter self, Progress whole, long end, Sender sending, @Nullable WaitLine others, boolean ofSend) {
        waiter = self;
        progress = whole;
        deadline = end;
        sender = sending;
        line = others;
        counts = ofSend;
        round = 0;
        nanos = SHORTEST_NANOS;
    }

    /** Whether the thread waits at the moment, or runs a serializer for what has come meanwhile. */
    public boolean isAwaiting() {
        return awaiting;
    }

    /**
     * Waits a little.
     *
     * @throws MessagingException if the time is over
     */
    public void await() {
        if (round == 0) {
            waiter.giveUpAdvance();
            if (counts && waiter.isFirstWait()) {
                sender.countBlocked();
            }
        }
        WaitLine others = line;
        long begin = System.nanoTime();
        if (begin - deadline > 0 || (others != null && !others.enter(false, deadline))) {
            throw late();
        }
        awaitAnyway();
        if (counts) {
            sender.countWaited(System.nanoTime() - begin);
        }
    }

    public static MessagingException late() {
        return new MessagingException(
                MessagingException.Reason.TIMEOUT, "the receiver has not made room for a message in time");
    }

    public void awaitAnyway() {
        if (round++ == 0) {
            sender.push();
        }
        awaiting = true;
        int found;
        try {
            found = progress.help();
        } finally {
            awaiting = false;
        }
        if (found > 0) {
            return;
        }
        // that one thread polls is enough: the others only keep the receiver from making room
        if (found != Progress.BUSY && round < SPINS) {
            Thread.onSpinWait();
        } else if (found != Progress.BUSY && round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            sender.push();
            LockSupport.parkNanos(this, nanos);
            nanos = Math.min(LONGEST_NANOS, 2 * nanos);
        }
    }
}
