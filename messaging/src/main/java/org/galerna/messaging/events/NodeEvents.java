package org.galerna.messaging.events;

import java.util.function.Supplier;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MetricsListener;
import org.galerna.messaging.NodeStatistics;
import org.galerna.messaging.support.FailureLog;
import org.jspecify.annotations.Nullable;

/** Tells the program's listener and Flight Recorder what happens in a node. Throws nothing. Any thread. */
public final class NodeEvents {
    private final int node;
    private final @Nullable MetricsListener listener;
    private final FailureLog failures;

    /** Of a node; with the listener of its program, if it has one. */
    public NodeEvents(int node, @Nullable MetricsListener listener, FailureLog failures) {
        this.node = node;
        this.listener = listener;
        this.failures = failures;
    }

    /** What is told to a listener. */
    @FunctionalInterface
    private interface News {
        void to(MetricsListener listener);
    }

    private void tell(@Nullable MetricsListener hearer, News news) {
        if (hearer != null) {
            try {
                news.to(hearer);
            } catch (Throwable thrown) { // it is the program's
                failures.report(() -> "the listener for metrics has thrown", thrown);
            }
        }
    }

    /** The node has started. */
    public void started(Supplier<NodeStatistics> statistics) {
        tell(listener, each -> each.onStarted(node, statistics));
    }

    /** The node is closed. */
    public void closed() {
        tell(listener, each -> each.onClosed(node));
    }

    /** A request has ended, with a failure perhaps. */
    public void requestEnded(int peer, long nanos, @Nullable MessagingException failure) {
        Recorder.request(node, peer, nanos, failure);
        if (listener != null) {
            tell(listener, each -> each.onRequest(peer, nanos, failure == null ? null : failure.reason()));
        }
    }

    /** A receiver has returned. */
    public void handled(Class<?> type, long nanos) {
        if (listener != null) {
            tell(listener, each -> each.onHandled(type, nanos));
        }
    }

    /** There is a connection. */
    public void connected(int peer, String link) {
        Recorder.joined(node, peer, link);
        tell(listener, each -> each.onConnected(peer, link));
    }

    /** A connection has ended. */
    public void disconnected(int peer, String reason, long unconfirmed) {
        Recorder.left(node, peer, reason, unconfirmed);
        tell(listener, each -> each.onDisconnected(peer, reason, unconfirmed));
    }

    /** A request from or to another node was refused because of a limit. */
    public void limit(int peer, String limit) {
        Recorder.limit(node, peer, limit);
        failures.report(() -> "a request was refused: " + limit, null);
        tell(listener, each -> each.onLimit(peer, limit));
    }

    /** Messages of a type mean something else to another node. */
    public void differs(String what) {
        failures.report(() -> what, null);
    }

    /** A caller has not proved the key. */
    public void refused(String caller, String why) {
        Recorder.refused(node, caller, why);
        failures.report(() -> "a caller at " + caller + " was turned away: " + why, null);
        tell(listener, each -> each.onRefused(caller));
    }
}
