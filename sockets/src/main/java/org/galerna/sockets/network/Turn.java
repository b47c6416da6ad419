package org.galerna.sockets.network;

import org.jspecify.annotations.Nullable;

/**
 * How far the bytes of this end are on their way from TCP to a pipe to another host. They go one way only: each phase follows
 * the one before.
 *
 * <p>Argument: one thread at a time takes each step. The thread that writes begins; the other end can know of the turn only
 * when it was told after that, and the thread that polls hears so; what that one starts sends the mark. Each step is a
 * volatile store after what it stands for.
 */
final class Turn {
    private enum Phase {
        /** All bytes go over TCP. */
        OVER_TCP,
        /** Bytes go through the pipe, and the other end is told after which byte. */
        TURNED,
        /** The other end knows that; the mark may follow in TCP. */
        KNOWN,
        /** TCP has the mark: bytes may go there again. */
        MARKED
    }

    private volatile Phase phase = Phase.OVER_TCP;
    private volatile @Nullable Runnable whenKnown;

    private boolean step(Phase from, Phase to) {
        if (phase != from) {
            return false;
        }
        phase = to;
        return true;
    }

    /**
     * The bytes of this end are about to turn.
     *
     * @param then what is done once the other end knows where
     */
    void begin(Runnable then) {
        whenKnown = then;
        if (!step(Phase.OVER_TCP, Phase.TURNED)) {
            throw new IllegalStateException("bytes turn to a pipe once, and this end is " + phase);
        }
    }

    /** The other end says that it knows where; returns what is to be done, or null if it cannot know. */
    @Nullable
    Runnable known() {
        return step(Phase.TURNED, Phase.KNOWN) ? whenKnown : null;
    }

    /** TCP has the mark. */
    void marked() {
        if (!step(Phase.KNOWN, Phase.MARKED)) {
            throw new IllegalStateException("the mark follows when the other end knows, and this end is " + phase);
        }
    }

    /** Whether the other end is still to learn where this one has turned. */
    boolean isUnknown() {
        return phase == Phase.TURNED;
    }

    boolean isMarked() {
        return phase == Phase.MARKED;
    }
}
