package org.galerna.link.support;

import java.util.concurrent.atomic.AtomicReference;

/**
 * How far a link has got. Each state follows the one before, and any may be followed by the last; a step that is not the next
 * one is refused, so that of several threads one takes it. Safe for use by many threads.
 */
public final class LinkLife {
    private enum State {
        OPEN,
        /** Nothing more is claimed; what is claimed is sent. */
        STOPPED,
        /** Everything is sent, and the peers are told so. */
        SAID_GOODBYE,
        /** Everything is at the peers. */
        DELIVERED,
        /** Everything is freed. */
        CLOSED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Whether nothing more may be claimed. */
    public boolean isStopped() {
        return state.get() != State.OPEN;
    }

    /** Lets nothing more be claimed; true if it was open. */
    public boolean stop() {
        return state.compareAndSet(State.OPEN, State.STOPPED);
    }

    /** Whether it has stopped, and not said goodbye. */
    public boolean owesGoodbye() {
        return state.get() == State.STOPPED;
    }

    /** Everything is sent; true if the peers are to be told so now. */
    public boolean sayGoodbye() {
        return state.compareAndSet(State.STOPPED, State.SAID_GOODBYE);
    }

    /** Whether the peers are told, and may not have everything. */
    public boolean awaitsDelivery() {
        return state.get() == State.SAID_GOODBYE;
    }

    /** Everything is at the peers. */
    public void delivered() {
        state.compareAndSet(State.SAID_GOODBYE, State.DELIVERED);
    }

    /** Whether everything is at the peers. */
    public boolean isDelivered() {
        return state.get() == State.DELIVERED;
    }

    /** Everything is freed; true if it was not. */
    public boolean close() {
        return state.getAndSet(State.CLOSED) != State.CLOSED;
    }

    /** Whether everything is freed. */
    public boolean isClosed() {
        return state.get() == State.CLOSED;
    }
}
