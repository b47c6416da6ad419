package org.galerna.link.ucx;

import org.galerna.link.FrameHandler;
import org.galerna.link.support.Membership;

/** Tells of peers that are gone, each once nothing more can come of it. Used by the polling thread. */
final class Departures {
    /** A peer that has left has this long for its last messages to be found; it has waited until they were sent. */
    private static final long LAST_MESSAGES_NANOS = 4_000_000_000L;

    private final UcxLink link;
    private final Membership membership;

    Departures(UcxLink link, Membership membership) {
        this.link = link;
        this.membership = membership;
    }

    /** Reports those that are due; returns the frames and peers that were handed over. */
    int report(FrameHandler handler) {
        int handled = 0;
        for (Membership.Departure departure : membership.unreported()) {
            Peer peer = link.peer(departure.peer());
            if (mayReport(peer, departure)) {
                handled += report(peer, departure, handler);
            }
        }
        return handled;
    }

    private boolean mayReport(Peer peer, Membership.Departure departure) {
        if (departure.messages() >= 0
                && peer.received() < departure.messages()
                && System.nanoTime() - departure.since() < LAST_MESSAGES_NANOS) {
            return false;
        }
        while (link.progress()) {
            // what has come before it was lost
        }
        return true;
    }

    private int report(Peer peer, Membership.Departure departure, FrameHandler handler) {
        int handled = link.deliver(peer, handler, Integer.MAX_VALUE);
        membership.report(departure.peer());
        boolean left = departure.reason().equals(FrameHandler.LEFT);
        link.disconnect(peer, !left);
        if (left) {
            handler.onPeerLeft(departure.peer());
        } else {
            handler.onPeerLost(departure.peer(), departure.reason());
        }
        return handled + 1;
    }
}
