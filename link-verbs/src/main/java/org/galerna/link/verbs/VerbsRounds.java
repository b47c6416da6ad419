package org.galerna.link.verbs;

import org.galerna.link.FrameHandler;
import org.galerna.link.support.Membership;
import org.galerna.link.support.Rounds;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.connecting.ConnectionManager;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;

/** What is looked for at the completion queue and on the connections. */
final class VerbsRounds extends Rounds {
    private final Connections connections;
    private final CompletionPoller completions;
    private final Transfers transfers;
    private final ConnectionManager manager;
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick

    VerbsRounds(
            Connections connections,
            CompletionPoller completions,
            Transfers transfers,
            Membership membership,
            ConnectionManager manager) {
        super(membership);
        this.connections = connections;
        this.completions = completions;
        this.transfers = transfers;
        this.manager = manager;
    }

    @Override
    protected int look(FrameHandler handler, int limit) {
        completions.take();
        long found = completions.taken(); // by this thread or another
        if (found == served && !unfinished) {
            return 0;
        }
        served = found;
        return serve(handler, limit);
    }

    @Override
    protected void moveTransfers() {
        transfers.progress();
    }

    /** Goes through all connections, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        for (Connection each : connections.all()) {
            handled += each.deliver(handler, transfers, limit);
            each.sends().giveCredits();
            if (each.sends().isBlocked()) {
                each.sends().flush();
            }
            more |= each.isUnfinished();
        }
        unfinished = more;
        return handled;
    }

    /** Sends what was left behind for want of credit, if nobody polls; on the manager's thread. True if that was something. */
    boolean sendLeftBehind() {
        long looks = completions.looks();
        boolean sent = false;
        if (looks == ticked && connections.anyBlocked()) { // otherwise somebody does it who knows better when
            completions.take();
            looks = completions.looks();
            for (Connection each : connections.all()) {
                sent |= each.sends().isBlocked() && each.sends().flush();
            }
        }
        ticked = looks;
        return sent;
    }

    @Override
    protected boolean take() {
        return completions.take() > 0;
    }

    @Override
    protected boolean mayCome(int peer) {
        return connections.to(peer).pair() != null;
    }

    @Override
    protected long received(int peer) {
        return connections.to(peer).received();
    }

    @Override
    protected boolean hasInbound(int peer) {
        return connections.to(peer).hasInbound();
    }

    @Override
    protected int deliver(int peer, FrameHandler handler, int limit) {
        return connections.to(peer).deliver(handler, transfers, limit);
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
