package org.galerna.link.ofi;

import java.util.List;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.connection.ConnectionListener;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.Peers;
import org.galerna.link.support.Membership;
import org.galerna.link.support.Rounds;
import org.galerna.link.transfer.Transfers;

/** What is looked for at the endpoint. */
final class OfiRounds extends Rounds {
    private final ConnectionListener listener;
    private final Runnable wakeUp;
    private final Engine engine;
    private final ReceiveBuffers buffers;
    private final Peers peers;
    private final Transfers transfers;
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick

    OfiRounds(
            ConnectionListener listener,
            Runnable wakeUp,
            Engine engine,
            ReceiveBuffers buffers,
            Peers peers,
            Transfers transfers,
            Membership membership) {
        super(membership);
        this.listener = listener;
        this.wakeUp = wakeUp;
        this.engine = engine;
        this.buffers = buffers;
        this.peers = peers;
        this.transfers = transfers;
    }

    @Override
    protected int look(FrameHandler handler, int limit) {
        engine.progress();
        long taken = engine.taken(); // by this thread or another
        if (taken == served && !unfinished) {
            return 0;
        }
        served = taken;
        return serve(handler, limit);
    }

    @Override
    protected void moveTransfers() {
        transfers.progress();
    }

    /** Goes through all peers, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        List<Peer> all = peers.all();
        for (int index = 0, size = all.size(); index < size; index++) {
            Peer each = all.get(index);
            handled += each.deliver(handler, transfers, limit);
            if (!each.isConnected() && each.isUp()) {
                answer(each);
            }
            each.settle(buffers);
            more |= each.hasInbound() || each.owesCredits();
        }
        unfinished = more;
        return handled;
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

    /** Makes progress if nobody has since the last call; on the manager's thread. True if more is under way then. */
    boolean progressIfIdle() {
        long looks = engine.looks();
        boolean idle = looks == ticked; // otherwise somebody makes progress who knows better when
        if (idle) {
            progress();
            looks = engine.looks();
        }
        ticked = looks;
        return idle && engine.isBusy();
    }

    @Override
    protected boolean take() {
        return engine.progress() > 0;
    }

    @Override
    protected long received(int peer) {
        return peers.received(peer);
    }

    @Override
    protected boolean hasInbound(int peer) {
        return peers.to(peer).hasInbound();
    }

    @Override
    protected int deliver(int peer, FrameHandler handler, int limit) {
        return peers.to(peer).deliver(handler, transfers, limit);
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
