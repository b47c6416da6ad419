package org.galerna.messaging;

/** Hears of connections. */
public interface ConnectionListener {
    /** There is a connection to a node; {@code link} is the network. Messages are sent and received when this returns. */
    default void onConnected(int node, String link) {}

    /**
     * A connection has ended. A node that is sent to again is connected again. Runs on a virtual thread of its own, and may
     * send and ask.
     *
     * @param unconfirmed messages sent to it that it has not confirmed to have processed: they may or may not have arrived
     */
    default void onDisconnected(int node, String reason, long unconfirmed) {}
}
