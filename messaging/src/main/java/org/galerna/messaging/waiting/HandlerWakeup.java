package org.galerna.messaging.waiting;

import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Doorbell;

/** How many handlers of a node look after what comes, and how those that sleep are woken. Any thread. */
public final class HandlerWakeup {
    private final AsymmetricFence fence = ProcessFence.instance();
    private final Doorbell bell = new Doorbell(fence);
    private final AtomicInteger awake = new AtomicInteger();
    private final AtomicInteger sleeping = new AtomicInteger();

    /** No handler looks yet. */
    public HandlerWakeup() {}

    /** Handlers that are about to start. */
    public void begin(int handlers) {
        awake.set(handlers);
    }

    /** What wakes handlers that sleep. */
    public Doorbell bell() {
        return bell;
    }

    /** Wakes handlers that sleep. */
    public void ring() {
        bell.ring();
    }

    /** Whether the calling thread is a handler of this node. */
    public boolean isHandler() {
        return HandlerThread.isCurrent(this);
    }

    /**
     * Sees to it that a handler looks after what was left for the polling thread, which the caller has made visible. Handlers
     * that poll, or sleep for a short time only, look by themselves.
     *
     * <p>Argument: the caller stores what it leaves, passes the light fence and loads {@code awake}; a handler that goes to
     * sleep lowers {@code awake}, passes the heavy fence of {@link Doorbell#prepare} and looks whether anything was left.
     * At least one sees the other's store. One that goes to run a receiver does not look; what was left just before is found
     * by the guard at its next tick.
     */
    public void lookAfter() {
        fence.light();
        if (awake.getOpaque() == 0) {
            bell.ring();
        }
    }

    /** A handler does not look any more: it is about to sleep or to run a receiver. Returns whether it was the last one. */
    public boolean rest() {
        return awake.decrementAndGet() == 0;
    }

    /** Takes {@link #rest} back. */
    public void unrest() {
        awake.incrementAndGet();
    }

    /** A handler is about to sleep, until something comes or the time is over; or is not any more. */
    public void asleep(boolean asleep) {
        sleeping.addAndGet(asleep ? 1 : -1);
    }

    /** Whether a handler sleeps. */
    public boolean hasSleepers() {
        return sleeping.get() > 0;
    }
}
