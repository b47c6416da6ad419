package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a connection to a node has ended. */
@Name("org.galerna.messaging.NodeLeft")
@Label("Node Left")
@Category({"Galerna", "Messaging"})
@Description("A connection to a node has ended")
@StackTrace(false)
final class NodeLeftEvent extends Event {
    @Label("Node")
    int node;

    @Label("Peer")
    @Description("Number of the other node")
    int peer;

    @Label("Reason")
    String reason = "";

    @Label("Unconfirmed Messages")
    @Description("Messages that may have arrived, or not")
    long unconfirmed;

    private NodeLeftEvent() {}

    static void commit(int node, int peer, String reason, long unconfirmed) {
        NodeLeftEvent event = new NodeLeftEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.peer = peer;
            event.reason = reason;
            event.unconfirmed = unconfirmed;
            event.commit();
        }
    }
}
