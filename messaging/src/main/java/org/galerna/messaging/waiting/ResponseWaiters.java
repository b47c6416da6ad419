package org.galerna.messaging.waiting;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.memory.idle.IdleStrategy;
import org.galerna.messaging.support.CoarseClock;
import org.jspecify.annotations.Nullable;

/**
 * Threads of the application that wait for responses, as leader and followers: the first one polls for all of them, the
 * others yield for a moment and sleep. When there are followers and no leader, handlers poll, and for some milliseconds
 * after that nobody becomes the leader: it would take the core away from the threads that its polling wakes, and from the handlers
 * that answer what it finds, and handlers would go to sleep and be woken again for each request.
 *
 * <p>A single thread that asks finds its response itself, without a change of threads, and handlers leave the polling to
 * it. They yield for a while, and are rung when they are needed earlier. When it finds something for them, it hands the
 * polling over and follows.
 *
 * <p>Argument that followers are not left alone. A follower counts itself, then reads whether there is a leader; a leader
 * steps down, then reads whether there are followers. All of these are volatile accesses, so that at least one sees what
 * the other has written: there is either a leader who will step down after that, or one of the two calls the handlers. That
 * call reads whether a handler yields, after followers and leader were written; a handler that is going to yield says so
 * first, and reads followers and leader afterwards, all volatile again. So either it sees that it is needed, or the call
 * sees it and rings, which {@link org.galerna.memory.Doorbell} does not lose. A handler that has not yielded polls, or
 * makes the links wake it. That a thread may begin to lead after it has seen no followers, and after one has come and
 * called, does no harm: it finds the follower when it steps down.
 *
 * <p>A thread follows only for a while. After that it sleeps on, and the handlers find its response when they look.
 */
public final class ResponseWaiters {
    /** As long as several threads wait now and then, handlers poll; of the coarse clock, milliseconds. */
    private static final long CROWDED_MILLIS = 2;

    private final CoarseClock clock;
    private final HandlerWakeup handlers;
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>();
    private final AtomicInteger followers = new AtomicInteger();
    private final AtomicInteger yielding = new AtomicInteger();
    private final IdleStrategy waiting =
            IdleStrategy.adaptive(2); // shared: it learns whether the other side needs this very core
    private volatile long crowded;

    /** Nobody waits yet. */
    public ResponseWaiters(CoarseClock clock, HandlerWakeup handlers) {
        this.clock = clock;
        this.handlers = handlers;
        this.crowded = clock.now() - CROWDED_MILLIS;
    }

    // ---- by threads that wait

    /** Begins to poll for all that wait; false if somebody else does. */
    public boolean lead() {
        return followers.get() == 0
                && leader.get() == null
                && !isCrowded()
                && leader.compareAndSet(null, Thread.currentThread());
    }

    /** Whether handlers have polled for followers within the last milliseconds, and are to go on with that. */
    public boolean isCrowded() {
        return clock.now() - crowded < CROWDED_MILLIS;
    }

    /**
     * The leader has found something for handlers, and will follow: nodes that ask each other have more to do than wait for
     * the one response, and a thread that looks for it may sit on the core that the handler was woken on.
     */
    public void handOver() {
        crowd();
    }

    /** Something for handlers has come: while threads wait, handlers go on polling. */
    public void noteWork() {
        if (followers.get() > 0) {
            crowd();
        }
    }

    private void crowd() {
        long now = clock.now();
        if (crowded != now) { // a coarse clock, so that it is hardly ever written
            crowded = now;
        }
    }

    /** How long a leader looks. */
    public IdleStrategy waiting() {
        return waiting;
    }

    /** Whether the calling thread leads: what depends on a response that it has found asks in its turn. */
    public boolean isLeader() {
        return leader.get() == Thread.currentThread();
    }

    /** The leader does not poll any more. */
    public void stepDown() {
        leader.set(null);
        if (followers.get() > 0) {
            callHandlers();
        }
    }

    /** The calling thread is about to sleep, and others are to poll for it. */
    public void follow() {
        int all = followers.incrementAndGet();
        boolean led = leader.get() != null;
        if (led || all > 1) {
            crowd();
        }
        if (!led) {
            callHandlers();
        }
    }

    /** Takes {@link #follow} back. */
    public void leave() {
        followers.decrementAndGet();
    }

    private void callHandlers() {
        if (yielding.get() > 0) {
            handlers.ring();
        }
    }

    // ---- by handlers

    /** Whether there are followers and no leader: then handlers poll. */
    public boolean needHandlers() {
        return followers.get() > 0 && leader.get() == null;
    }

    /** A handler leaves the polling to others; it looks at {@link #needHandlers} before it sleeps. */
    public void beginYielding() {
        yielding.incrementAndGet();
    }

    /** Takes {@link #beginYielding} back. */
    public void endYielding() {
        yielding.decrementAndGet();
    }

    /** Number of handlers that leave the polling to others. */
    public int yielding() {
        return yielding.get();
    }
}
