package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a request was refused because there are as many as there may be. */
@Name("org.galerna.messaging.LimitReached")
@Label("Limit Reached")
@Category({"Galerna", "Messaging"})
@Description("A request was refused because there are as many as there may be")
@StackTrace(false)
final class LimitReachedEvent extends Event {
    @Label("Node")
    int node;

    @Label("Peer")
    @Description("Number of the other node")
    int peer;

    @Label("Limit")
    String limit = "";

    private LimitReachedEvent() {}

    static void commit(int node, int peer, String limit) {
        LimitReachedEvent event = new LimitReachedEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.peer = peer;
            event.limit = limit;
            event.commit();
        }
    }
}
