package org.galerna.messaging;

/** Hears of connections. Called by threads of the node, which it must not hold up. */
public interface ConnectionListener {
    /** Messages can be sent to a node now; {@code link} is the network. */
    default void onConnected(int node, String link) {}

    /**
     * A connection has ended. A node that is sent to again is connected again.
     *
     * @param unconfirmed messages sent to it that it has not confirmed to have processed: they may or may not have arrived
     */
    default void onDisconnected(int node, String reason, long unconfirmed) {}
}
