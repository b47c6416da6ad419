package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A rank has something to send to a peer for the first time. */
@Name("org.galerna.ChannelOpened")
@Label("Channel Opened")
@Category({"Galerna", "Connections"})
@Description("A rank sends to a peer for the first time")
final class ChannelOpened extends PeerEvent {
    @Label("Link")
    String link = "";

    static void commit(int rank, int peer, String link) {
        ChannelOpened event = new ChannelOpened();
        event.between(rank, peer);
        event.link = link;
        event.commit();
    }
}
