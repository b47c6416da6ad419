package org.galerna.sockets.network;

import java.util.concurrent.atomic.AtomicReference;

/** Whether the other end of a pipe takes bytes. It goes forwards only. Any thread. */
final class Taking {
    private enum State {
        /** It takes bytes, as far as this end knows. */
        TAKES,
        /** It has said that it wants no more. */
        REFUSES,
        /** It is told nothing any more. */
        GONE
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.TAKES);

    /** The other end wants no more; nothing changes if it has said so before, or is gone. */
    void refuse() {
        state.compareAndSet(State.TAKES, State.REFUSES);
    }

    void go() {
        state.set(State.GONE);
    }

    boolean takes() {
        return state.get() == State.TAKES;
    }

    boolean isGone() {
        return state.get() == State.GONE;
    }
}
