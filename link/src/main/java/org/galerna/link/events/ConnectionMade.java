package org.galerna.link.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A connection of a network is up. */
@Name("org.galerna.ConnectionMade")
@Label("Connection Made")
@Category({"Galerna", "Connections"})
@Description("A connection of a network between two ranks is up")
final class ConnectionMade extends PeerEvent {
    @Label("Job")
    String job = "";

    @Label("Link")
    String link = "";

    @Label("Number")
    @Description(
            "Which connection between the two it is, or which trial: one that carries nothing may be ended, and made again")
    int number;

    static void commit(int rank, int peer, String job, String link, int number) {
        ConnectionMade event = new ConnectionMade();
        event.between(rank, peer);
        event.job = job;
        event.link = link;
        event.number = number;
        event.commit();
    }
}
