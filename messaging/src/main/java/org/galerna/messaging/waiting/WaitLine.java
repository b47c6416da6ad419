package org.galerna.messaging.waiting;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that want the same: room in a window that is used up, or the way for messages in pieces. One of them has its
 * turn, and the others sleep: where senders outnumber cores, each that looks or is woken takes time from the receiver, for
 * which all of them wait.
 *
 * <p>A thread keeps its turn for a while, however often it comes back, so that threads do not change for each message. It need not
 * say that it will not come back; the first of those who wait looks now and then whether it does. Nobody waits for ever: turns are short, and go in the order of coming.
 */
public final class WaitLine {
    /** How long a turn is when others wait: about a time slice of the system. With a quarter of that, changes take a fifth. */
    private static final long TURN_NANOS = 4_000_000;

    /** What the {@link #current} thread does with its turn. */
    private enum Turn {
        /** It is nobody's. */
        FREE,
        /** It was passed to a thread that has not run since then. */
        PASSED,
        /** The thread comes and goes. */
        HELD,
        /** The thread is at it, and nobody else gets it before {@link #vacate}. */
        OCCUPIED
    }

    private final long silenceNanos;

    // guarded by this
    private final Deque<Thread> waiting = new ArrayDeque<>();
    private @Nullable Thread current;
    private long since;
    private long seen;
    private Turn turn = Turn.FREE;
    private boolean dispersed; // whatever the turn is

    /** A line whose current thread loses its turn when it was not seen for so long. */
    public WaitLine(long silenceNanos) {
        this.silenceNanos = silenceNanos;
    }

    /**
     * Waits for the calling thread's turn. It may come back as often as it likes meanwhile.
     *
     * @param occupies whether nobody else gets it before {@link #vacate}
     * @param deadline as of {@link System#nanoTime}
     * @return false if the time is over
     * @throws IllegalStateException if the calling thread occupies its turn already
     */
    public boolean enter(boolean occupies, long deadline) {
        Thread self = Thread.currentThread();
        synchronized (this) {
            if (self == current && turn == Turn.OCCUPIED) {
                throw new IllegalStateException("a thread that occupies its turn does not enter again");
            }
            long now = System.nanoTime();
            if (isFree(self, now)) {
                if (self != current || now - since >= TURN_NANOS) {
                    current = self;
                    since = now;
                }
                take(occupies, now);
                return true;
            }
            if (self == current) {
                pass(now);
            }
            waiting.add(self);
        }
        return sleep(self, occupies, deadline);
    }

    private boolean isFree(Thread self, long now) {
        if (self == current) {
            return waiting.isEmpty() || now - since < TURN_NANOS || dispersed;
        }
        return turn == Turn.FREE || dispersed || (waiting.isEmpty() && isSilent(now));
    }

    private boolean isSilent(long now) {
        return turn == Turn.HELD && now - seen > silenceNanos;
    }

    /** By the thread that is current. */
    private void take(boolean occupies, long now) {
        seen = now;
        turn = occupies ? Turn.OCCUPIED : Turn.HELD;
    }

    /** To the first that waits. */
    private void pass(long now) {
        current = waiting.poll();
        since = now;
        seen = now;
        turn = Turn.PASSED;
        LockSupport.unpark(current);
        LockSupport.unpark(waiting.peek()); // is the first one now
    }

    private boolean sleep(Thread self, boolean occupies, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                long nap;
                synchronized (this) {
                    long now = System.nanoTime();
                    boolean first = waiting.peek() == self;
                    if (first && isSilent(now)) {
                        pass(now);
                    }
                    if (current == self) {
                        take(occupies, now);
                        return true;
                    }
                    boolean over = now - deadline > 0;
                    if (over || dispersed) {
                        boolean ignored = waiting.remove(self);
                        LockSupport.unpark(waiting.peek());
                        return !over;
                    }
                    nap = deadline - now;
                    if (first) {
                        nap = Math.min(nap, nap(now));
                    }
                }
                LockSupport.parkNanos(this, Math.max(1, nap));
                interrupted |= Thread.interrupted(); // it would end every sleep
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Of the first, which is woken when a turn is over, but not when the thread whose turn it is does not come back. One
     * that has come back until now may be done at any moment, and then everybody waits for this look.
     */
    private long nap(long now) {
        boolean passedOn = turn == Turn.OCCUPIED && now - since >= TURN_NANOS; // by the thread that leaves
        return passedOn ? Long.MAX_VALUE : silenceNanos;
    }

    /** Whether it is the calling thread that has entered and is to leave yet. */
    public synchronized boolean isOccupiedByCaller() {
        return turn == Turn.OCCUPIED && current == Thread.currentThread();
    }

    /**
     * The calling thread, which occupies its turn, is done for now.
     *
     * @throws IllegalStateException if it does not occupy it
     */
    public synchronized void vacate() {
        if (!dispersed && !isOccupiedByCaller()) {
            throw new IllegalStateException("a thread vacates a turn that is " + turn + ", and not occupied by it");
        }
        long now = System.nanoTime();
        take(false, now);
        if (!waiting.isEmpty() && now - since >= TURN_NANOS) {
            pass(now);
        }
    }

    /**
     * The calling thread is done: the next one need not wait until it is silent.
     *
     * @throws IllegalStateException if it occupies its turn
     */
    public synchronized void leave() {
        if (isOccupiedByCaller()) {
            throw new IllegalStateException("a thread that occupies its turn vacates it before it leaves");
        }
        if (current == Thread.currentThread() && waiting.isEmpty()) {
            current = null;
            turn = Turn.FREE;
        }
    }

    /** What all wait for will not come, or has come for all: from here on nobody waits. */
    public synchronized void disperse() {
        dispersed = true;
        waiting.forEach(LockSupport::unpark);
    }
}
