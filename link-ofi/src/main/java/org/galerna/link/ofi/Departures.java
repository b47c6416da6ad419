package org.galerna.link.ofi;

import org.galerna.link.FrameHandler;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.Peers;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.Transfers;

/** Tells of peers that are gone, each once nothing more can come of it. Used by the polling thread. */
final class Departures {
    private final Membership membership;
    private final Peers peers;
    private final Engine engine;
    private final Transfers transfers;
    private final ReceiveBuffers buffers;

    Departures(Membership membership, Peers peers, Engine engine, Transfers transfers, ReceiveBuffers buffers) {
        this.membership = membership;
        this.peers = peers;
        this.engine = engine;
        this.transfers = transfers;
        this.buffers = buffers;
    }

    /** Reports those that are due; returns the frames and peers that were handed over. */
    int report(FrameHandler handler) {
        int handled = 0;
        for (Membership.Departure departure : membership.unreported()) {
            takeLastMessages(departure);
            handled += report(departure, handler);
        }
        return handled;
    }

    /** A peer that has left in good order has waited until all its messages had come; of others some may be found. */
    private void takeLastMessages(Membership.Departure departure) {
        long messages = departure.messages();
        if (messages < 0 || peers.received(departure.peer()) < messages) {
            while (engine.progress() > 0) {
                // what has come before it was lost
            }
        }
    }

    private int report(Membership.Departure departure, FrameHandler handler) {
        int handled = 0;
        Peer peer = peers.to(departure.peer());
        membership.report(departure.peer());
        while (peer.hasInbound()) {
            int last = peer.deliver(handler, transfers, Integer.MAX_VALUE);
            handled += last;
            if (last == 0 && peer.hasInbound()) {
                break; // what cannot be understood is not waited for
            }
        }
        transfers.progress();
        peer.gone();
        peer.discardInbound(buffers);
        transfers.lose(peer, departure.reason());
        if (departure.reason().equals(FrameHandler.LEFT)) {
            handler.onPeerLeft(departure.peer());
        } else {
            handler.onPeerLost(departure.peer(), departure.reason());
        }
        return handled + 1;
    }
}
