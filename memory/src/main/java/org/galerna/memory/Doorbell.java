package org.galerna.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Where threads sleep until something may have changed for them. Ringing it while nobody sleeps costs one load.
 *
 * <p>Protocol of a waiter: {@link #prepare}, look once more at what it waits for, then {@link #sleep} or
 * {@link #cancel}. Protocol of a ringer: make the change visible (a release store), then {@link #ring}.
 *
 * <p>Argument for no lost wake-up. The waiter stores {@code sleepers}, passes the heavy fence and looks at the
 * condition; the ringer stores the condition, passes the light fence and loads {@code sleepers}. By the property of
 * {@link AsymmetricFence} either the waiter sees the change and does not sleep, or the ringer sees the sleeper, takes
 * it off the list and unparks it. A waiter that is no longer on the list does not sleep: a lock that it took for its
 * last look may have used the wake-up for its own parking. An unpark after that look at the list finds nothing between
 * it and the park, so that the park returns at once.
 */
public final class Doorbell {
    private static final VarHandle SLEEPERS;

    static {
        try {
            SLEEPERS = MethodHandles.lookup().findVarHandle(Doorbell.class, "sleepers", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final AsymmetricFence fence;
    private final List<Thread> waiting = new ArrayList<>(); // guarded by itself

    @SuppressWarnings("UnusedVariable") // read through SLEEPERS
    private int sleepers; // size of waiting; written under its monitor, read without

    /** A doorbell with nobody asleep. */
    public Doorbell(AsymmetricFence fence) {
        this.fence = fence;
    }

    /** Wakes every thread that sleeps here; call it after the change is visible. Does not block. */
    public void ring() {
        fence.light();
        if ((int) SLEEPERS.getOpaque(this) != 0) {
            wakeAll();
        }
    }

    private void wakeAll() {
        synchronized (waiting) {
            for (Thread thread : waiting) {
                LockSupport.unpark(thread);
            }
            waiting.clear();
            SLEEPERS.setOpaque(this, 0);
        }
    }

    /** Announces that the calling thread is about to sleep. */
    public void prepare() {
        synchronized (waiting) {
            waiting.add(Thread.currentThread());
            SLEEPERS.setOpaque(this, waiting.size());
        }
        fence.heavy();
    }

    /** Takes {@link #prepare} back. */
    public void cancel() {
        synchronized (waiting) {
            waiting.remove(Thread.currentThread());
            SLEEPERS.setOpaque(this, waiting.size());
        }
    }

    /**
     * Whether the calling thread's announcement stands: nobody has rung since, and it was not taken back. For threads
     * that sleep elsewhere, where somebody who rings wakes them as well.
     */
    public boolean isPrepared() {
        synchronized (waiting) {
            return waiting.contains(Thread.currentThread());
        }
    }

    /**
     * Sleeps until the bell rings, or the time is over, or the thread is interrupted, or for no reason; ends the
     * announcement.
     *
     * @param nanos longest time to sleep, in nanoseconds
     */
    public void sleep(long nanos) {
        if (isPrepared()) {
            LockSupport.parkNanos(this, nanos);
            cancel();
        }
    }
}
