package org.galerna.link.ofi;

import java.util.List;
import org.galerna.link.CommunicationException;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.connection.ConnectionListener;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.Peers;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.CompletionRounds;
import org.galerna.link.transfer.Transfers;

/** What is looked for at the endpoint. */
final class OfiRounds extends CompletionRounds<Peer> {
    private final ConnectionListener listener;
    private final Runnable wakeUp;
    private final Engine engine;
    private final ReceiveBuffers buffers;
    private final Peers peers;
    private final Transfers transfers;

    OfiRounds(
            ConnectionListener listener,
            Runnable wakeUp,
            Engine engine,
            ReceiveBuffers buffers,
            Peers peers,
            Transfers transfers,
            Membership membership) {
        super(membership, transfers);
        this.listener = listener;
        this.wakeUp = wakeUp;
        this.engine = engine;
        this.buffers = buffers;
        this.peers = peers;
        this.transfers = transfers;
    }

    @Override
    protected boolean take() {
        return engine.progress() > 0;
    }

    @Override
    protected long taken() {
        return engine.taken();
    }

    @Override
    protected long looks() {
        return engine.looks();
    }

    @Override
    protected List<Peer> peers() {
        return peers.all();
    }

    @Override
    protected Peer to(int peer) {
        return peers.to(peer);
    }

    @Override
    protected boolean settle(Peer peer) {
        if (!peer.isConnected() && peer.isUp()) {
            answer(peer);
        }
        return peer.settle(buffers) || peer.hasInbound();
    }

    /** A peer that has spoken first is to be answered. */
    private void answer(Peer peer) {
        try {
            Peer unused = peers.reach(peer.peer());
        } catch (CommunicationException unknown) {
            listener.lose(peer.peer(), String.valueOf(unknown.getMessage()));
        }
    }

    /** Makes progress for a thread that does not poll. */
    void progress() {
        if (engine.progress() > 0 && !isInPoll()) {
            wakeUp.run(); // what has come may be for somebody who sleeps and is not told again
        }
    }

    @Override
    protected boolean goOn() {
        progress();
        return engine.isBusy();
    }

    @Override
    protected void cut(int peer, String reason, boolean left) {
        Peer gone = peers.to(peer);
        gone.gone();
        gone.discardInbound(buffers);
        transfers.lose(gone, reason);
    }

    @Override
    protected void end(String reason) {
        engine.stop();
        peers.all().forEach(Peer::gone);
        transfers.end(reason);
    }
}
