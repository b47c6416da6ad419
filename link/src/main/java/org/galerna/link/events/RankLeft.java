package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A rank is gone for another one. */
@Name("org.galerna.RankLeft")
@Label("Rank Left")
@Category({"Galerna", "Connections"})
@Description("A rank has left the job, or is lost")
final class RankLeft extends PeerEvent {
    @Label("In Good Order")
    @Description("Whether it has left, and is not lost")
    boolean inOrder;

    @Label("Reason")
    String reason = "";

    static void commit(int rank, int peer, boolean inOrder, String reason) {
        RankLeft event = new RankLeft();
        event.between(rank, peer);
        event.inOrder = inOrder;
        event.reason = reason;
        event.commit();
    }
}
