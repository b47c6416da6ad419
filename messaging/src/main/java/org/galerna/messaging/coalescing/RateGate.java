package org.galerna.messaging.coalescing;

import org.jspecify.annotations.Nullable;

/**
 * Whether the messages of one thread to one connection are gathered: the gate opens when short messages follow each other
 * fast, and closes when they do not any more. Used by that thread.
 */
public final class RateGate {
    private static final int LENGTH = 32;

    /**
     * Time between two messages of all threads, on the average, below which it pays to gather them; nanoseconds. Of all
     * threads, because one of many that share few cores never seems fast.
     */
    private static final long FAST_NANOS = 1_000;

    private final Coalescers connection;
    private @Nullable Coalescer coalescer;
    private boolean open;
    private int count;

    /** A gate that is closed. */
    public RateGate(Coalescers connection) {
        this.connection = connection;
    }

    /** Where the messages of this thread are gathered, or were until they came more slowly; null if nowhere. */
    public @Nullable Coalescer coalescer() {
        return coalescer;
    }

    /** Whether messages are gathered at present; then there is a coalescer. */
    public boolean isOpen() {
        return open;
    }

    /** Counts a message. True if it is one of many that follow each other fast. */
    public boolean isFast() {
        if (++count < LENGTH) {
            return false;
        }
        count = 0;
        long now = System.nanoTime(); // the clock takes as long as half a message: it is read now and then
        return now - connection.count(now) < LENGTH * FAST_NANOS;
    }

    /** From the next message on they are gathered, if there may be one coalescer more. */
    public void open() {
        if (coalescer == null) {
            coalescer = connection.add();
        }
        open = coalescer != null;
    }

    /** The thread has paused: from here on it has to be fast again before its messages are gathered. */
    public void close() {
        open = false;
        count = 0;
    }

    /** As {@link #close}; the coalescer is of no use any more. */
    public void closeForGood() {
        close();
        coalescer = null;
    }
}
