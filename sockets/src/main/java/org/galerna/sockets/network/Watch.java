package org.galerna.sockets.network;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads that look at a link. One belongs to the connection; others wait for pipes, and look themselves. The connection's thread
 * keeps away while others look, so as not to take their messages, and returns when one of them is about to sleep.
 *
 * <p>Argument for no lost call: all of it is one variable, which the caller exchanges and the thread compares. If the thread
 * goes away first, the caller sees that, and wakes it; if the call comes first, the thread does not go. Both are full fences,
 * so that a caller that looks at the link after its call sees what the thread has left there.
 */
final class Watch {
    private enum State {
        /** The thread looks, and nobody else has looked since it {@linkplain #take began}. */
        ALONE,
        /** The thread looks, and others have looked as well. */
        SHARED,
        /** The thread keeps away, and nobody else has looked since it went. */
        AWAY,
        /** The thread keeps away, and others look. */
        RELIEVED,
        /** Somebody is about to sleep, and the thread is to look. */
        CALLED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ALONE);

    /** The calling thread, which is not that of the connection, looks. While others look, too, that is one load. */
    void looked() {
        State seen = state.get();
        if (seen == State.ALONE) { // if that changes now, the next look is counted
            state.compareAndSet(State.ALONE, State.SHARED);
        } else if (seen == State.AWAY) {
            state.compareAndSet(State.AWAY, State.RELIEVED);
        }
    }

    /** The calling thread is about to sleep; true if the thread of the connection keeps away, and is to be woken. */
    boolean call() {
        State before = state.getAndSet(State.CALLED);
        return before == State.AWAY || before == State.RELIEVED;
    }

    // ---- the thread of the connection

    /** The thread goes away, if others look and nobody has called; false if it is to look. */
    boolean leave() {
        return state.compareAndSet(State.SHARED, State.AWAY);
    }

    /**
     * The thread is back.
     *
     * @throws IllegalStateException if it was not away
     */
    void comeBack() {
        if (!state.compareAndSet(State.AWAY, State.ALONE)
                && !state.compareAndSet(State.RELIEVED, State.SHARED)
                && state.get() != State.CALLED) {
            throw new IllegalStateException("the thread of a link comes back, and was not away: " + state.get());
        }
    }

    /**
     * The thread begins to look, which answers all calls so far.
     *
     * @throws IllegalStateException if it is away
     */
    void take() {
        State before = state.getAndSet(State.ALONE);
        if (before == State.AWAY || before == State.RELIEVED) {
            throw new IllegalStateException("the thread of a link looks at it, and has not come back: " + before);
        }
    }
}
