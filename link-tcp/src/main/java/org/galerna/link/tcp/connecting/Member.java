package org.galerna.link.tcp.connecting;

import org.galerna.link.tcp.stream.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Membership} knows of one peer. There is none for a peer that nothing has happened with. Guarded by the
 * membership.
 *
 * <p>Wires between two ranks follow each other, and both count them. A rank leaves a wire with its last frame there, and does
 * not read from the next one before it has read the peer's last frame. So there are two at most: see {@link Connection}.
 */
final class Member {
    /** How far the next wire to it has got. */
    enum State {
        /** Nobody opens one. */
        QUIET,

        /** This rank opens one. */
        CALLING,

        /** The peer has opened one and was let in; the handshake is about to end. */
        ADMITTED,

        /** It has left or is lost. */
        GONE
    }

    /** What is used for it; null while there is nothing to be used for. */
    @Nullable
    Connection connection;

    State state = State.QUIET;

    /** Why it is gone. */
    @Nullable
    String reason;

    /** It is gone, and has not said goodbye. */
    boolean lost;

    /** This rank has called. */
    boolean wanted;

    /** The call has left this rank, and does not wait for room any more. */
    boolean dialled;

    /** It has said by another way that it leaves: it is gone when nothing is left to read. */
    boolean leaves;

    /** Wires that were made so far. */
    int made;

    /** How many of them this rank has left. */
    int left;

    /** How many of them it has read to their ends. */
    int read;

    @Override
    public String toString() {
        return state + " " + made + "/" + left + "/" + read + (owes() ? " owes" : "") + (leaves ? " leaves" : "")
                + (connection == null || state == State.GONE ? "" : " " + connection.out());
    }

    /** Whether there is a wire to write to. */
    boolean writes() {
        return made > left;
    }

    /** Whether there is a wire, to write to or to read from. */
    boolean isConnected() {
        return made > left || made > read;
    }

    /** Whether there is something to write and no wire for it. */
    boolean owes() {
        Connection used = connection;
        return used != null && state != State.GONE && !writes() && used.out().hasPending();
    }
}
