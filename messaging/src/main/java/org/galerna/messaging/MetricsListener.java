package org.galerna.messaging;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens in a node, for a library of metrics. What only has to be counted is in the statistics, which {@link
 * #onStarted} gives. The threads at work call these methods, so that they must not wait or use the node. What they throw is
 * logged.
 */
public interface MetricsListener {
    /**
     * A node starts.
     *
     * @param node number of the node
     * @param statistics of the node, at any time from now on
     */
    default void onStarted(int node, Supplier<NodeStatistics> statistics) {}

    /** The node is closed. */
    default void onClosed(int node) {}

    /**
     * A request has ended. Cancelled ones are not told.
     *
     * @param peer the node that was asked
     * @param nanos how long it took
     * @param failure why it has failed; null if it was answered
     */
    default void onRequest(int peer, long nanos, MessagingException.@Nullable Reason failure) {}

    /**
     * A receiver has returned. Told of one message in {@value TypeStatistics#SAMPLED} for each handler and type.
     *
     * @param type of the message
     * @param nanos how long reading and receiving took
     */
    default void onHandled(Class<?> type, long nanos) {}

    /** There is a connection to a node; {@code link} is the network. */
    default void onConnected(int peer, String link) {}

    /** A connection has ended; see {@link ConnectionListener#onDisconnected}. */
    default void onDisconnected(int peer, String reason, long unconfirmed) {}

    /**
     * A request was refused because there are as many as there may be.
     *
     * @param peer the node that has asked, or was to be asked
     * @param limit which one, in words
     */
    default void onLimit(int peer, String limit) {}

    /**
     * A caller was turned away that did not prove the key of the cluster.
     *
     * @param caller its address
     */
    default void onRefused(String caller) {}
}
