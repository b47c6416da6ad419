package org.galerna.sockets.network;

import org.jspecify.annotations.Nullable;

/** How far a connection over a link has got. It goes forwards only, and each phase follows the one before. Any thread. */
final class LinkLife {
    private enum Phase {
        /** It carries bytes. */
        OPEN,
        /** It takes nothing any more, for a reason, and is about to end. */
        FAILED,
        /** Nobody looks at the link any more. */
        ENDED
    }

    private volatile Phase phase = Phase.OPEN;
    private @Nullable String reason; // guarded by this

    /** It must end; the first reason counts. */
    synchronized void fail(String why) {
        if (phase == Phase.OPEN) {
            reason = why;
            phase = Phase.FAILED;
        }
    }

    /**
     * It ends.
     *
     * @throws IllegalStateException if there is no reason, or it has ended already
     */
    synchronized void end() {
        if (phase != Phase.FAILED) {
            throw new IllegalStateException(
                    "a connection over a link ends once, for a reason, and this one is " + phase);
        }
        phase = Phase.ENDED;
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** Why it ends. */
    synchronized String reason() {
        return String.valueOf(reason);
    }
}
