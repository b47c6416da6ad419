package org.galerna.link.verbs;

import java.util.List;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.CompletionRounds;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.connecting.ConnectionManager;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;

/** What is looked for at the completion queue and on the connections. */
final class VerbsRounds extends CompletionRounds<Connection> {
    private final Connections connections;
    private final CompletionPoller completions;
    private final Transfers transfers;
    private final ConnectionManager manager;

    VerbsRounds(
            Connections connections,
            CompletionPoller completions,
            Transfers transfers,
            Membership membership,
            ConnectionManager manager) {
        super(membership, transfers);
        this.connections = connections;
        this.completions = completions;
        this.transfers = transfers;
        this.manager = manager;
    }

    @Override
    protected boolean take() {
        return completions.take() > 0;
    }

    @Override
    protected long taken() {
        return completions.taken();
    }

    @Override
    protected long looks() {
        return completions.looks();
    }

    @Override
    protected List<Connection> peers() {
        return connections.all();
    }

    @Override
    protected Connection to(int peer) {
        return connections.to(peer);
    }

    @Override
    protected boolean settle(Connection connection) {
        connection.sends().giveCredits();
        if (connection.sends().isBlocked()) {
            connection.sends().flush();
        }
        return connection.isUnfinished();
    }

    /** Sends what was left behind for want of credit. True if that was something. */
    @Override
    protected boolean goOn() {
        boolean sent = false;
        if (connections.anyBlocked()) {
            completions.take();
            for (Connection each : connections.all()) {
                sent |= each.sends().isBlocked() && each.sends().flush();
            }
        }
        return sent;
    }

    @Override
    protected boolean mayCome(int peer) {
        return connections.to(peer).pair() != null;
    }

    @Override
    protected void cut(int peer, String reason, boolean left) {
        Connection connection = connections.to(peer);
        completions.exclude(() -> {
            connection.destroy(); // from here on the adapter touches no memory for it
            connection.discardInbound();
        });
        manager.forget(connection); // also if it was about to be made
        completions.abandon(connection, reason);
        transfers.lose(connection, reason);
    }

    @Override
    protected void end(String reason) {
        completions.close(() -> {
            for (Connection each : connections.all()) {
                each.destroy();
            }
        });
        for (Connection each : connections.all()) {
            completions.abandon(each, reason);
        }
        transfers.end(reason);
    }
}
