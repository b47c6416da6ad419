package org.galerna.link.hybrid;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.Link;

/**
 * Watches a link while threads that use it sleep elsewhere, and wakes them there. Its thread does nothing while they are
 * awake: it is not on the way of a message that somebody polls for.
 *
 * <p>States: {@code IDLE}, its thread is parked; {@code WANTED}, somebody goes to sleep; {@code ARMED}, the link knows
 * that there is a sleeper, and the thread waits in it.
 *
 * <p>Argument for no lost wake-up. Who goes to sleep calls {@link #arm} before its last poll. If the sentinel was armed
 * then, what that poll missed ends the sentinel's wait, and the wake-up follows, after the sleeper's announcement at its
 * own link. If it was not, the sentinel arms itself and then wakes the sleepers once, so that they poll again, after the
 * arming. The order within the first case: the sleeper announces at its own link, then reads the state; the sentinel
 * leaves the state, then wakes at that link. All of them are volatile accesses: either the sleeper sees that the sentinel
 * is not armed any more, or the wake-up sees the sleeper.
 */
public final class WakeupBridge implements AutoCloseable {
    private static final int IDLE = 0;
    private static final int WANTED = 1;
    private static final int ARMED = 2;

    /** After this time without an event it looks whether it is still wanted; nanoseconds. */
    private static final long WATCH_NANOS = 1_000_000_000;

    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(1);

    private final Link watched;
    private final Runnable wakeUp;
    private final Thread thread;
    private volatile int state = IDLE;
    private volatile boolean closed;

    /**
     * Not started before {@link #arm}.
     *
     * @param name of the thread
     * @param watched link to watch
     * @param wakeUp wakes those who have announced that they sleep; must not block
     */
    public WakeupBridge(String name, Link watched, Runnable wakeUp) {
        this.watched = watched;
        this.wakeUp = wakeUp;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /** Announces a sleeper, who has announced itself at its own link and is going to poll once more. */
    public void arm() {
        if (state == IDLE) {
            wanted();
        }
    }

    private synchronized void wanted() {
        if (state != IDLE || closed) {
            return;
        }
        state = WANTED;
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            if (state == IDLE) {
                LockSupport.park(this);
                continue;
            }
            watched.waiter().prepare();
            state = ARMED;
            wakeUp.run();
            watched.waiter().await(WATCH_NANOS);
            state = IDLE;
            wakeUp.run();
        }
    }

    /** Ends the thread, and waits until it does not use the link any more. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            do {
                // again and again: it may have been between its look at the flag and its announcement
                watched.waiter().wakeUp();
                LockSupport.unpark(thread);
            } while (thread.isAlive() && !thread.join(CLOSE_PATIENCE));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
