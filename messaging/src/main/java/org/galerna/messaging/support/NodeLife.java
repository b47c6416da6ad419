package org.galerna.messaging.support;

/**
 * How far a node is on its way to its end. It goes one way only: from each phase to the next, or over some of them. Any
 * thread reads; the thread that closes the node writes.
 */
public final class NodeLife {
    /** The phases in their order. */
    private enum Phase {
        /** Messages are sent and received. */
        OPEN,
        /** Nothing new is sent. What ends from here on ends because this node is closed. */
        CLOSING,
        /** Handlers end after the message that they are at. */
        STOPPING,
        /** Handlers that have not ended were interrupted: their receivers may fail because of that. */
        INTERRUPTING,
        /** All threads end. */
        ENDED
    }

    private volatile Phase phase = Phase.OPEN;

    /** The life of a node that is open. */
    public NodeLife() {}

    private void enter(Phase next) {
        if (next.compareTo(phase) <= 0) {
            throw new IllegalStateException("a node that is " + phase + " does not become " + next);
        }
        phase = next;
    }

    /** Closing begins. */
    public void beginClosing() {
        enter(Phase.CLOSING);
    }

    /** Lets handlers end. */
    public void stopHandlers() {
        enter(Phase.STOPPING);
    }

    /** Handlers are about to be interrupted. */
    public void interruptHandlers() {
        enter(Phase.INTERRUPTING);
    }

    /** Lets all threads end. */
    public void end() {
        enter(Phase.ENDED);
    }

    /** Whether the node is being closed, or is closed. */
    public boolean isClosing() {
        return phase != Phase.OPEN;
    }

    /** Whether handlers end after the message that they are at. */
    public boolean isStopping() {
        Phase now = phase; // the usual ones first: handlers ask before each message
        return now != Phase.OPEN && now != Phase.CLOSING;
    }

    /** Whether receivers may fail because this node has interrupted them. */
    public boolean isInterrupting() {
        Phase now = phase;
        return now == Phase.INTERRUPTING || now == Phase.ENDED;
    }

    /** Whether all threads end. */
    public boolean isEnded() {
        return phase == Phase.ENDED;
    }
}
