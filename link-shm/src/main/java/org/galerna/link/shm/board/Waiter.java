package org.galerna.link.shm.board;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.LinkWaiter;
import org.galerna.memory.AsymmetricFence;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one rank that sleep at its {@link FutexEvent}. Platform threads sleep in the system. Virtual threads must not,
 * since each would hold a carrier: they park, and while there are any a thread of this class sleeps in the system for
 * all of them.
 */
public final class Waiter implements LinkWaiter {
    /** Threads of this class: one, while virtual threads sleep. */
    public static final int MOST_THREADS = 1;

    /** A thread that is interrupted wakes no later than after this time: nothing else ends a sleep in the system. */
    private static final long LONGEST_NANOS = 200_000_000;

    /** How long the thread that sleeps for others stays when there are none. */
    private static final long IDLE_NANOS = 2_000_000_000;

    private final FutexEvent bell;
    private final AsymmetricFence fence;
    private final Map<Thread, Integer> expected = new HashMap<>(); // guarded by this, as all that follows
    private final Map<Thread, Integer> parked = new HashMap<>();
    private @Nullable Thread poller;

    public Waiter(FutexEvent bell, AsymmetricFence fence) {
        this.bell = bell;
        this.fence = fence;
    }

    @Override
    public void prepare() {
        synchronized (this) {
            expected.put(Thread.currentThread(), bell.announce());
        }
        fence.heavy();
    }

    @Override
    public synchronized void cancel() {
        Integer word = expected.remove(Thread.currentThread());
        if (word != null && expected.isEmpty()) {
            bell.retract(word);
        }
    }

    @Override
    public void await(long nanos) {
        Thread me = Thread.currentThread();
        Integer word;
        synchronized (this) {
            word = expected.get(me);
        }
        if (word != null && !me.isInterrupted()) {
            if (me.isVirtual()) {
                park(me, word, nanos);
            } else {
                bell.await(word, Math.clamp(nanos, 0, LONGEST_NANOS));
            }
        }
        cancel();
    }

    @Override
    public void wakeUp() {
        bell.ring();
    }

    private void park(Thread me, int word, long nanos) {
        synchronized (this) {
            parked.put(me, word);
            if (poller == null) {
                poller =
                        Thread.ofPlatform().daemon().name("galerna-shm-sleeper").start(this::sleepForOthers);
            }
            LockSupport.unpark(poller);
        }
        if (!bell.hasRung(word)) {
            LockSupport.parkNanos(this, nanos);
        }
        synchronized (this) {
            parked.remove(me);
        }
    }

    private void sleepForOthers() {
        int idle = 0;
        while (idle < 2) {
            Integer word = unparkRung();
            if (word != null) {
                idle = 0;
                bell.await(word, LONGEST_NANOS);
            } else if (idle == 0) {
                LockSupport.parkNanos(this, IDLE_NANOS);
                idle = 1;
            } else {
                idle = mayEnd() ? 2 : 0;
            }
        }
    }

    private synchronized boolean mayEnd() {
        if (parked.isEmpty()) {
            poller = null;
            return true;
        }
        return false;
    }

    /** Unparks those for whom the bell has rung. Returns the word that the others sleep on; null if there are none. */
    private synchronized @Nullable Integer unparkRung() {
        Integer word = null;
        for (Iterator<Map.Entry<Thread, Integer>> each = parked.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Thread, Integer> entry = each.next();
            if (bell.hasRung(entry.getValue())) {
                LockSupport.unpark(entry.getKey());
                each.remove();
            } else {
                word = entry.getValue();
            }
        }
        return word;
    }
}
