package org.galerna.link.verbs;

import org.galerna.link.FrameHandler;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.connecting.ConnectionManager;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;

/** Tells of peers that are gone, each once nothing more can come of it. Used by the polling thread. */
final class Departures {
    /**
     * A peer that has left has this long for its last messages to be found. It has seen them acknowledged, or has given up;
     * so they are here, unless they are still on their way from a peer that did not wait.
     */
    private static final long LAST_MESSAGES_NANOS = 4_000_000_000L;

    private final Membership membership;
    private final Connections connections;
    private final CompletionPoller completions;
    private final Transfers transfers;
    private final ConnectionManager manager;

    Departures(
            Membership membership,
            Connections connections,
            CompletionPoller completions,
            Transfers transfers,
            ConnectionManager manager) {
        this.membership = membership;
        this.connections = connections;
        this.completions = completions;
        this.transfers = transfers;
        this.manager = manager;
    }

    /** Reports those that are due; returns the frames and peers that were handed over. */
    int report(FrameHandler handler) {
        int handled = 0;
        for (Membership.Departure departure : membership.unreported()) {
            Connection connection = connections.to(departure.peer());
            if (mayReport(connection, departure)) {
                handled += report(connection, departure, handler);
            }
        }
        return handled;
    }

    /** Whether nothing more will come of a peer. */
    private boolean mayReport(Connection connection, Membership.Departure departure) {
        long messages = departure.messages();
        boolean complete = connection.pair() == null || (messages >= 0 && connection.received() >= messages);
        if (complete || (messages >= 0 && System.nanoTime() - departure.since() < LAST_MESSAGES_NANOS)) {
            return complete;
        }
        while (completions.take() > 0) {
            // what has come before it was lost
        }
        return true;
    }

    private int report(Connection connection, Membership.Departure departure, FrameHandler handler) {
        int handled = 0;
        while (connection.hasInbound()) {
            int last = connection.deliver(handler, transfers, Integer.MAX_VALUE);
            handled += last;
            if (last == 0 && connection.hasInbound()) {
                break; // what cannot be understood is not waited for
            }
        }
        transfers.progress();
        membership.report(departure.peer());
        completions.exclude(() -> {
            connection.destroy(); // from here on the adapter touches no memory for it
            connection.discardInbound();
        });
        manager.forget(connection); // also if it was about to be made
        completions.abandon(connection, departure.reason());
        transfers.lose(connection, departure.reason());
        if (departure.reason().equals(FrameHandler.LEFT)) {
            handler.onPeerLeft(departure.peer());
        } else {
            handler.onPeerLost(departure.peer(), departure.reason());
        }
        return handled + 1;
    }
}
