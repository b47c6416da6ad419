package org.galerna.messaging;

/** Hears of connections: of each other node one call after the other, in the order in which it has happened. */
public interface ConnectionListener {
    /**
     * There is a connection to a node; {@code link} is the network. It is used when this returns, or earlier if
     * {@link #onDisconnected} of the connection before takes long.
     */
    default void onConnected(int node, String link) {}

    /**
     * A connection has ended. A node that is sent to again is connected again. Runs on a virtual thread of its own, and may
     * send and ask.
     *
     * @param unconfirmed messages sent to it that it has not confirmed to have processed: they may or may not have arrived
     */
    default void onDisconnected(int node, String reason, long unconfirmed) {}
}
