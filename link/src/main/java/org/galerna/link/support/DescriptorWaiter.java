package org.galerna.link.support;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.LinkWaiter;
import org.galerna.link.ProcessFence;
import org.galerna.memory.Doorbell;
import org.galerna.nativeaccess.DescriptorWait;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a rank sleep. One of them, the leader, sleeps at the descriptor of a {@link
 * Source}, such as a channel of completions, and wakes the others at
 * their doorbell when it leaves. For virtual threads, which must not block in the system, a thread of the platform leads; it
 * is started by the first virtual thread that sleeps.
 *
 * <p>Argument for no lost wake-up. Who announces that it will sleep has the {@linkplain Source#prepare source prepared}
 * before its last look, so what it has not seen makes the descriptor readable, and it stays so until a leader takes note of
 * that, who then rings for all, or until somebody else takes what has come, who then wakes all. A ringer first takes all sleepers off the doorbell's list and then looks
 * for a leader; a leader first says that it leads and then looks whether it is still on the list. So either the ringer
 * sees the leader and wakes it, or the leader sees that it has been rung for.
 */
public final class DescriptorWaiter implements LinkWaiter, AutoCloseable {
    /** Shorter sleeps are not worth the system's while: whoever sleeps so shortly looks itself. */
    private static final long LEAST_NANOS = 1_000_000;

    private static final long HELPER_NANOS = 1_000_000_000;

    /** Where the system tells that something may have come. */
    public interface Source {
        /** Readable when something may have come. */
        int descriptor();

        /** Somebody is about to look for the last time: what he does not see has to make the descriptor readable. */
        default void prepare() {}

        /** Whether it is right to sleep; if not, whoever wanted to looks again. */
        default boolean maySleep() {
            return true;
        }

        /** The descriptor was readable. */
        default void woken() {}
    }

    private final String name;
    private final Source source;
    private final DescriptorWait wait;
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
    public DescriptorWaiter(String name, Source source) {
        this.name = name;
        this.source = source;
        this.wait = new DescriptorWait(source.descriptor());
    }

    @Override
    public void prepare() {
        doorbell.prepare();
        if (!closed) {
            source.prepare();
        }
    }

    @Override
    public void cancel() {
        doorbell.cancel();
    }

    @Override
    public void wakeUp() {
        doorbell.ring();
        if (leading.get()) {
            wait.wakeUp();
        }
    }

    @Override
    public void await(long nanos) {
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
                if (doorbell.isPrepared()) {
                    sleep(nanos);
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

    private void sleep(long nanos) {
        if (!closed && source.maySleep() && wait.await(nanos) != 0) {
            source.woken();
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
                sleep(HELPER_NANOS);
            } finally {
                leading.set(false);
                doorbell.ring();
            }
        }
    }

    /** Ends all sleeps; returns when nobody sleeps at the channel any more. */
    @Override
    public void close() {
        closed = true;
        Thread running = helper;
        if (running != null) {
            LockSupport.unpark(running);
        }
        while (leading.get()) {
            wait.wakeUp();
            Thread.yield();
        }
        wait.close();
        doorbell.ring();
    }
}
