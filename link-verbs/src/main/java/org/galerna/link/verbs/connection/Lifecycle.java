package org.galerna.link.verbs.connection;

import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.verbs.wire.PeerInfo;
import org.jspecify.annotations.Nullable;

/**
 * How far a connection has got: {@code IDLE, CONNECTING, UP} in turn, and from each of them to {@code GONE}, which is the end.
 * A step that is not the next one is refused, so that of two threads the one that ends a connection wins.
 */
final class Lifecycle {
    private final AtomicReference<Connection.State> state = new AtomicReference<>(Connection.State.IDLE);
    private volatile @Nullable PeerInfo info;

    Connection.State state() {
        return state.get();
    }

    boolean isUp() {
        return state.get() == Connection.State.UP;
    }

    /** What the peer has told of itself; null before it has. */
    @Nullable
    PeerInfo info() {
        return info;
    }

    /** The peer has told this; null forgets it. */
    void inform(@Nullable PeerInfo peersInfo) {
        info = peersInfo;
    }

    /** The two sides find each other from now on; false if they did already. */
    boolean begin() {
        return state.compareAndSet(Connection.State.IDLE, Connection.State.CONNECTING);
    }

    /** Messages may be sent from now on; false if they could already, or never can. */
    boolean establish() {
        return state.compareAndSet(Connection.State.CONNECTING, Connection.State.UP);
    }

    /** The peer has left or is lost. */
    void end() {
        state.set(Connection.State.GONE);
    }
}
