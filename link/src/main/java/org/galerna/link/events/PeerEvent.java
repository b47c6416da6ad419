package org.galerna.link.events;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Something between a rank and a peer. */
@StackTrace(false)
abstract class PeerEvent extends Event {
    @Label("Rank")
    int rank;

    @Label("Peer")
    @Description("The other rank, or a number below 0 for any")
    int peer;

    final void between(int ofRank, int ofPeer) {
        rank = ofRank;
        peer = ofPeer;
    }

    /** Begins to measure; null if nobody records such events. */
    static @Nullable Object begun(Event event) {
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }
}
