package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.galerna.messaging.MessagingException;

/** Flight Recorder: a request has failed. */
@Name("org.galerna.messaging.RequestFailed")
@Label("Request Failed")
@Category({"Galerna", "Messaging"})
@Description("A request has failed")
@StackTrace(false)
final class FailedRequestEvent extends Event {
    @Label("Node")
    int node;

    @Label("Peer")
    @Description("Number of the other node")
    int peer;

    @Label("Time")
    @Timespan
    long time;

    @Label("Reason")
    String reason = "";

    @Label("Message")
    String message = "";

    private FailedRequestEvent() {}

    static void commit(int node, int peer, long nanos, MessagingException failure) {
        FailedRequestEvent event = new FailedRequestEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.peer = peer;
            event.time = nanos;
            event.reason = failure.reason().name();
            event.message = String.valueOf(failure.getMessage());
            event.commit();
        }
    }
}
