package org.galerna.messaging.node;

import java.util.function.Consumer;
import org.galerna.messaging.ConnectionListener;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.connection.Announcer;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.counters.PeerCounters;
import org.galerna.messaging.dispatch.Origin;
import org.galerna.messaging.peers.Peers;
import org.jspecify.annotations.Nullable;

/** What happens to a node, and to its listener, when connections come and go. Any thread. */
public final class ConnectionEvents implements Peers.Host {
    private final NodeParts node;
    private final ConnectionListener listener;
    private final Announcer announcer;
    private @Nullable Consumer<Origin> lossHearer; // before the node starts

    ConnectionEvents(NodeParts node, ConnectionListener listener) {
        this.node = node;
        this.listener = listener;
        this.announcer = new Announcer(node.threadName("listener"), node.failures());
    }

    /** Tells somebody else of each connection that is lost, before the listener; before the node starts. */
    public void onLost(Consumer<Origin> hearer) {
        lossHearer = hearer;
    }

    Announcer announcer() {
        return announcer;
    }

    /** The listener hears of a connection before the first message of it is received, and before it can be lost. */
    @Override
    public void connected(Connection connection) {
        int peer = connection.peer();
        PeerCounters ignored = node.counters().peer(peer); // listed from now on
        String link = connection.link().name();
        node.events().connected(peer, link);
        announcer.tellHere(peer, () -> listener.onConnected(peer, link));
        node.poller().add(connection);
        if (node.life().isClosing()) { // and the thread that closes the node may not have seen it
            connection.lose("this node is closed");
        }
        node.wakeup().ring();
    }

    /**
     * A connection is lost: what was asked over it fails at once.
     *
     * @param agreed whether both sides have agreed to end it. Then nothing is under way: a thread that is about to ask finds
     *     the gate closed, and asks over the next one
     */
    void lost(Connection connection, String reason, boolean agreed) {
        long gathered = connection.outbound().abandonGathered();
        long unconfirmed = gathered + connection.credit().inDoubt();
        node.counters()
                .addConnection(
                        gathered + connection.credit().messages(),
                        connection.outbound().blockedSends());
        int peer = connection.peer();
        node.counters().peer(peer).add(connection.traffic());
        node.events().disconnected(peer, reason, unconfirmed);
        Consumer<Origin> hearer = lossHearer;
        if (hearer != null) {
            announcer.tellElsewhere(peer, () -> hearer.accept(connection));
        }
        announcer.tellElsewhere(peer, () -> listener.onDisconnected(peer, reason, unconfirmed));
        if (!agreed) {
            node.completions().fail(node.requests().takeAll(connection), gone(peer, reason));
        }
        node.poller().retire(connection);
        node.wakeup().ring();
    }

    /** What requests fail with when a connection has ended. */
    MessagingException gone(int peer, String reason) {
        int own = node.config().id();
        return node.life().isClosing()
                ? new MessagingException(
                        MessagingException.Reason.CLOSED,
                        "node " + own + " was closed before node " + peer + " had answered")
                : new MessagingException(MessagingException.Reason.UNREACHABLE, "node " + peer + " is gone: " + reason);
    }

    @Override
    public MessagingException interrupted(int peer, MessagingException.Reason usual, @Nullable Throwable cause) {
        return new MessagingException(
                node.life().isInterrupting() ? MessagingException.Reason.CLOSED : usual,
                "interrupted while waiting for node " + peer,
                cause);
    }
}
