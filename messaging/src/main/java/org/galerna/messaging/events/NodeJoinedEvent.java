package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a connection to a node is open. */
@Name("org.galerna.messaging.NodeJoined")
@Label("Node Joined")
@Category({"Galerna", "Messaging"})
@Description("A connection to a node is open")
@StackTrace(false)
final class NodeJoinedEvent extends Event {
    @Label("Node")
    int node;

    @Label("Peer")
    @Description("Number of the other node")
    int peer;

    @Label("Link")
    @Description("Name of the network")
    String link = "";

    private NodeJoinedEvent() {}

    static void commit(int node, int peer, String link) {
        NodeJoinedEvent event = new NodeJoinedEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.peer = peer;
            event.link = link;
            event.commit();
        }
    }
}
