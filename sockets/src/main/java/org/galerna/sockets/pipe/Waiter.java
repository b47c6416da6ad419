package org.galerna.sockets.pipe;

import static org.galerna.sockets.pipe.PipeLayout.INTS;

import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.galerna.nativeaccess.thread.Futex;
import org.galerna.nativeaccess.thread.Processor;
import org.jspecify.annotations.Nullable;

/**
 * How one end of a pipe waits for the other one: first it looks for a moment, then it sleeps on a word in shared memory,
 * which says whether and how it sleeps. One thread waits at a time; any may wake it.
 *
 * <p>Argument for no lost wake-up. The sleeper stores the word, passes a full fence and looks at the condition. The other
 * side stores its change, passes a full fence and loads the word ({@link #wakePeer}). One of the two sees what the
 * other one has stored: either the sleeper does not sleep, or the other side finds the word, exchanges it for
 * {@link #AWAKE} and wakes. A platform thread that has not fallen asleep by then does not, because the system compares the
 * word with the expected value; a virtual thread's permit stays until it parks. A late wake-up of an earlier sleep ends the
 * present one too soon, which only makes it look again.
 *
 * <p>Looking pays while the other end runs on another core and answers soon. If both ends were last seen on one core the
 * other one runs only when this one leaves it, so that it mostly sleeps at once. Otherwise the time to look is learnt:
 * {@link AdaptiveBackoff}.
 *
 * <p>A {@code FastSelector} waits on the words of many pipes at a time: it stores {@link #LISTENS} in each, and the number of
 * its bell beside it, and sleeps on the bell. The argument is the same one.
 */
public final class Waiter {
    /** As deadlines: wait as long as it takes; do not wait. */
    public static final long NEVER = Long.MAX_VALUE;

    public static final long AT_ONCE = Long.MIN_VALUE;

    /** What the word says: nobody sleeps; a thread does; a virtual thread does; a selector does. */
    public static final int AWAKE = 0;

    public static final int SLEEPS = 1;
    public static final int PARKED = 2;
    public static final int LISTENS = 3;

    /** Where the number of the selector's bell is, from the word on; see {@link WakeupFd#number}. */
    public static final int BELL = 4;

    private final Futex futex = Futex.instance().orElseThrow();
    private final MemorySegment memory;
    private final long word;
    private final long ownCpu;
    private final long peerCpu;
    private final WaitCondition condition;

    // of the thread that waits
    private final AdaptiveBackoff look = new AdaptiveBackoff();
    private int lastCpu = Processor.UNKNOWN;
    private long sleeps;

    private volatile @Nullable Thread parked;

    /**
     * A waiter on words of {@code memory}.
     *
     * @param ownCpu where it says on which processor it is
     * @param peerCpu where the other end says so
     */
    public Waiter(MemorySegment memory, long word, long ownCpu, long peerCpu, WaitCondition condition) {
        this.memory = memory;
        this.word = word;
        this.ownCpu = ownCpu;
        this.peerCpu = peerCpu;
        this.condition = condition;
    }

    /**
     * Waits until the condition holds.
     *
     * @param deadline as of {@link System#nanoTime}, or {@link #NEVER}
     * @return false if the time is over
     * @throws InterruptedIOException if the thread is virtual and was interrupted; platform threads wait on
     */
    public boolean await(long deadline) throws InterruptedIOException {
        long start = System.nanoTime();
        if (look.until(condition, isPeerHere())) {
            return true;
        }
        Thread me = Thread.currentThread();
        boolean virtual = me.isVirtual();
        parked = virtual ? me : null;
        try {
            while (true) {
                INTS.setVolatile(memory, word, virtual ? PARKED : SLEEPS);
                VarHandle.fullFence();
                condition.willSleep();
                if (condition.holds()) {
                    look.slept(System.nanoTime() - start);
                    return true;
                }
                if (deadline != NEVER && deadline - System.nanoTime() <= 0) {
                    return false;
                }
                sleep(virtual, deadline);
            }
        } finally {
            INTS.setOpaque(memory, word, AWAKE);
            parked = null;
        }
    }

    /** Looks for a moment whether the condition holds; for a thread that does not wait. */
    public boolean look() {
        return look.until(condition, isPeerHere());
    }

    /** Looks for so long at most, unless the other end was last seen on the processor of this thread. */
    public boolean look(long nanos) {
        return isPeerHere() ? condition.holds() : AdaptiveBackoff.look(condition, nanos) < nanos;
    }

    /** How often a thread has slept here; a racy look. */
    public long sleeps() {
        return sleeps;
    }

    private void sleep(boolean virtual, long deadline) throws InterruptedIOException {
        sleeps++;
        long left = deadline == NEVER ? NEVER : Math.max(1, deadline - System.nanoTime());
        if (!virtual && left == NEVER) {
            futex.await(memory, word, SLEEPS);
        } else if (!virtual) {
            futex.await(memory, word, SLEEPS, left);
        } else if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        } else if (left == NEVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Says on which processor this thread is, and whether the other end was last seen on the same one. */
    public boolean isPeerHere() {
        int cpu = here();
        return cpu >= 0 && (int) INTS.getOpaque(memory, peerCpu) == cpu + 1;
    }

    /** Says on which processor this thread is; returns its number. */
    public int here() {
        int cpu = Processor.current();
        if (cpu != lastCpu) {
            lastCpu = cpu;
            INTS.setOpaque(memory, ownCpu, cpu + 1);
        }
        return cpu;
    }

    /** Wakes the thread of this process that waits here, if there is one. */
    public void wake() {
        INTS.setVolatile(memory, word, AWAKE);
        futex.wakeAll(memory, word);
        unpark();
    }

    /** Lets the virtual thread that waits here look again. */
    public void unpark() {
        Thread thread = parked;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Has the other end's selector be rung when it waits for this; for a thread that selects.
     *
     * @param bell number of the bell to ring; 0 to have the process told
     */
    public void listen(int bell) {
        if ((int) INTS.getOpaque(memory, word) != LISTENS || (int) INTS.getOpaque(memory, word + BELL) != bell) {
            INTS.setOpaque(memory, word + BELL, bell);
            INTS.setVolatile(
                    memory, word, LISTENS); // after the bell: the other end, which finds this word, rings that one
        }
    }

    /** The selector has found what it waited for; the other end need not ring. */
    public void listenNoMore() {
        if ((int) INTS.getOpaque(memory, word) == LISTENS) {
            INTS.setOpaque(memory, word, AWAKE);
        }
    }

    /**
     * Wakes what waits on a word at the other end; call it after the change is visible.
     *
     * @return {@link #PARKED} or {@link #LISTENS} if it is a virtual thread or a selector, which is left to the caller
     */
    public static int wakePeer(Futex futex, MemorySegment memory, long word) {
        VarHandle.fullFence();
        if ((int) INTS.getOpaque(memory, word) == AWAKE) {
            return AWAKE;
        }
        int sleep = (int) INTS.getAndSet(memory, word, AWAKE);
        if (sleep == SLEEPS) {
            futex.wakeAll(memory, word);
        }
        return sleep;
    }
}
