package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Many messages wait for their receives. */
@Name("org.galerna.UnexpectedMessages")
@Label("Unexpected Messages")
@Category({"Galerna", "Messages"})
@Description("More messages than ever before are there without a receive")
final class UnexpectedMessages extends PeerEvent {
    @Label("Messages")
    int number;

    static void commit(int rank, int peer, int number) {
        UnexpectedMessages event = new UnexpectedMessages();
        event.between(rank, peer);
        event.number = number;
        event.commit();
    }
}
