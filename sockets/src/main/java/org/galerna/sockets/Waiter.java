package org.galerna.sockets;

import static org.galerna.sockets.PipeLayout.INTS;

import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.memory.Cpus;
import org.galerna.nativeaccess.Futex;
import org.galerna.nativeaccess.Processor;
import org.jspecify.annotations.Nullable;

/**
 * How one end of a pipe waits for the other one: first it looks for a moment, then it sleeps on a word in shared memory,
 * which says whether and how it sleeps. One thread waits at a time; any may wake it.
 *
 * <p>Argument for no lost wake-up. The sleeper stores the word, passes a full fence and looks at the condition; who changes
 * the condition stores the change, passes a full fence and loads the word ({@link #wakePeer}). One of the two sees what the
 * other one has stored: either the sleeper does not sleep, or the other side finds the word, exchanges it for
 * {@link #AWAKE} and wakes. A platform thread that has not fallen asleep by then does not, because the system compares the
 * word with the expected value; a virtual thread's permit stays until it parks. A late wake-up of an earlier sleep ends the
 * present one too soon, which only makes it look again.
 *
 * <p>Looking pays while the other end runs on another core and answers soon. If both ends were last seen on one core the
 * other one runs only when this one leaves it, so that it sleeps at once. Otherwise the time to look learns: found nothing,
 * it halves, down to none; found something, it is as long as ever; and now and then it is tried again.
 */
final class Waiter {
    /** What a waiter waits for. */
    @FunctionalInterface
    interface Condition {
        boolean holds();
    }

    static final long NEVER = Long.MAX_VALUE;

    private static final int AWAKE = 0;
    private static final int SLEEPS = 1;
    private static final int PARKED = 2;

    private static final long MOST_NANOS = 20_000;
    private static final long LEAST_NANOS = 1_000;
    private static final int TRIAL = 64;
    private static final long LONGEST_SLEEP = TimeUnit.HOURS.toNanos(1);

    private static final boolean ALONE = Cpus.available() == 1;

    private final Futex futex = Futex.instance().orElseThrow();
    private final MemorySegment memory;
    private final long word;
    private final long ownCpu;
    private final long peerCpu;
    private final Condition condition;

    private volatile @Nullable Thread parked;

    // of the thread that waits
    private long nanos = MOST_NANOS;
    private int skipped;

    /**
     * A waiter on words of {@code memory}.
     *
     * @param ownCpu where it says on which processor it is
     * @param peerCpu where the other end says so
     */
    Waiter(MemorySegment memory, long word, long ownCpu, long peerCpu, Condition condition) {
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
    boolean await(long deadline) throws InterruptedIOException {
        if (spin()) {
            return true;
        }
        Thread me = Thread.currentThread();
        boolean virtual = me.isVirtual();
        parked = virtual ? me : null;
        try {
            while (true) {
                INTS.setVolatile(memory, word, virtual ? PARKED : SLEEPS);
                VarHandle.fullFence();
                if (condition.holds()) {
                    return true;
                }
                long left = deadline == NEVER ? LONGEST_SLEEP : deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                if (!virtual) {
                    futex.await(memory, word, SLEEPS, left);
                } else if (me.isInterrupted()) {
                    throw new InterruptedIOException();
                } else {
                    LockSupport.parkNanos(this, left);
                }
            }
        } finally {
            INTS.setOpaque(memory, word, AWAKE);
            parked = null;
        }
    }

    private boolean spin() {
        int cpu = Processor.current();
        INTS.setOpaque(memory, ownCpu, cpu + 1);
        if (ALONE || (cpu >= 0 && (int) INTS.getOpaque(memory, peerCpu) == cpu + 1)) {
            return false;
        }
        if (nanos == 0) {
            if (++skipped < TRIAL) {
                return false;
            }
            skipped = 0;
        }
        // a trial has to outlast the other end's waking up: while both sleep, no answer comes any sooner
        long end = System.nanoTime() + (nanos == 0 ? MOST_NANOS : nanos);
        int round = 0;
        do {
            if (condition.holds()) {
                nanos = MOST_NANOS;
                return true;
            }
            Thread.onSpinWait();
        } while ((++round & 7) != 0 || System.nanoTime() - end < 0);
        nanos = nanos / 2 < LEAST_NANOS ? 0 : nanos / 2;
        return false;
    }

    /** Wakes the thread of this process that waits here, if there is one. */
    void wake() {
        INTS.setVolatile(memory, word, AWAKE);
        futex.wakeAll(memory, word);
        unpark();
    }

    /** Lets the virtual thread that waits here look again. */
    void unpark() {
        Thread thread = parked;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Wakes who waits on a word at the other end; call it after the change is visible.
     *
     * @return true if a virtual thread is parked there, which its own process has to unpark
     */
    static boolean wakePeer(Futex futex, MemorySegment memory, long word) {
        VarHandle.fullFence();
        if ((int) INTS.getOpaque(memory, word) == AWAKE) {
            return false;
        }
        int sleep = (int) INTS.getAndSet(memory, word, AWAKE);
        if (sleep == SLEEPS) {
            futex.wakeAll(memory, word);
        }
        return sleep == PARKED;
    }
}
