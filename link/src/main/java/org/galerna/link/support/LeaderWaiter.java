package org.galerna.link.support;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.LinkWaiter;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.Doorbell;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a rank sleep. One of them, the leader, sleeps in the system, and wakes the others at their doorbell when
 * it leaves. For virtual threads, which must not block in the system, a thread of the platform leads; it is started by the first
 * virtual thread that sleeps.
 *
 * <p>Argument for no lost wake-up. A ringer first takes all sleepers off the doorbell's list and then looks for a leader; a
 * leader first says that it leads and then looks whether it is still on the list. So either the ringer sees the leader and
 * wakes it, or the leader sees that it has been rung for. What the network brings must end the leader's sleep also if it
 * has come before that: each subclass says why it does.
 */
public abstract class LeaderWaiter implements LinkWaiter, AutoCloseable {
    /** Threads of this class: one, once a virtual thread has slept. */
    public static final int MOST_THREADS = 1;

    /** Shorter sleeps are not worth the system's while: whoever sleeps so shortly looks itself. */
    private static final long LEAST_NANOS = 1_000_000;

    private static final long HELPER_NANOS = 1_000_000_000;

    private final String name;
    private final Doorbell doorbell = new Doorbell(ProcessFence.instance());
    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicInteger virtualSleepers = new AtomicInteger();
    private volatile @Nullable Thread helper;
    private volatile boolean closed;

    /**
     * Nobody sleeps.
     *
     * @param name that of a thread of its own begins with
     */
    protected LeaderWaiter(String name) {
        this.name = name;
    }

    /** Sleeps in the system, unless that is not right at the moment; the leader, of which there is one at a time. */
    protected abstract void lead(long nanos);

    /** Ends the sleep of the leader, or the next one if it does not sleep yet. */
    protected abstract void wakeLeader();

    /** Gives back what the leader sleeps at; nobody does any more. */
    protected abstract void release();

    /** Wakes the leader, if there is one. */
    protected final void wakeLeaderIfAny() {
        if (leading.get()) {
            wakeLeader();
        }
    }

    /** Whether {@link #close} was called. */
    protected final boolean isClosed() {
        return closed;
    }

    @Override
    public void prepare() {
        doorbell.prepare();
    }

    @Override
    public final void cancel() {
        doorbell.cancel();
    }

    @Override
    public final void wakeUp() {
        doorbell.ring();
        wakeLeaderIfAny();
    }

    @Override
    public final void await(long nanos) {
        if (Thread.currentThread().isVirtual()) {
            virtualSleepers.incrementAndGet();
            LockSupport.unpark(helper());
            try {
                doorbell.sleep(nanos);
            } finally {
                virtualSleepers.decrementAndGet();
            }
        } else if (nanos >= LEAST_NANOS && leading.compareAndSet(false, true)) {
            try {
                if (!closed && doorbell.isPrepared()) {
                    lead(nanos);
                }
            } finally {
                doorbell.cancel();
                leading.set(false);
                doorbell.ring();
            }
        } else {
            doorbell.sleep(nanos);
        }
    }

    private Thread helper() {
        Thread running = helper;
        return running != null ? running : startHelper();
    }

    private synchronized Thread startHelper() {
        Thread running = helper;
        if (running == null) {
            running = Thread.ofPlatform()
                    .daemon()
                    .name(name + "-waiter")
                    .inheritInheritableThreadLocals(false)
                    .start(this::help);
            helper = running;
        }
        return running;
    }

    private void help() {
        while (!closed) {
            if (virtualSleepers.get() == 0 || !leading.compareAndSet(false, true)) {
                LockSupport.parkNanos(this, HELPER_NANOS);
                continue;
            }
            try {
                if (!closed) {
                    lead(HELPER_NANOS);
                }
            } finally {
                leading.set(false);
                doorbell.ring();
            }
        }
    }

    /** Ends all sleeps; returns when nobody sleeps in the system any more. */
    @Override
    public final void close() {
        closed = true;
        Thread running = helper;
        if (running != null) {
            LockSupport.unpark(running);
        }
        while (leading.get()) {
            wakeLeader();
            Thread.yield();
        }
        release();
        doorbell.ring();
    }
}
