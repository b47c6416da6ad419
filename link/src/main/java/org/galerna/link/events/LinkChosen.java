package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A rank has chosen by what it reaches others. */
@Name("org.galerna.LinkChosen")
@Label("Link Chosen")
@Category({"Galerna", "Connections"})
@Description("By what a rank reaches some of its peers, and what is against faster links")
@StackTrace(false)
final class LinkChosen extends Event {
    @Label("Rank")
    int rank;

    @Label("Peers")
    @Description("The other ranks that it reaches so, such as 1-3")
    String peers = "";

    @Label("Link")
    String link = "";

    @Label("Against Faster Links")
    @Description("Why no faster link is used; empty if there is none")
    String against = "";

    static void commit(int rank, String peers, String link, String against) {
        LinkChosen event = new LinkChosen();
        event.rank = rank;
        event.peers = peers;
        event.link = link;
        event.against = against;
        event.commit();
    }
}
