package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Flight Recorder: a request was answered late. */
@Name("org.galerna.messaging.SlowRequest")
@Label("Slow Request")
@Category({"Galerna", "Messaging"})
@Description("A request was answered after 100 ms or later")
@StackTrace(false)
final class SlowRequestEvent extends Event {
    private static final long SLOW_NANOS = 100_000_000;

    @Label("Node")
    int node;

    @Label("Peer")
    @Description("Number of the other node")
    int peer;

    @Label("Time")
    @Timespan
    long time;

    private SlowRequestEvent() {}

    static void commit(int node, int peer, long nanos) {
        if (nanos < SLOW_NANOS) {
            return;
        }
        SlowRequestEvent event = new SlowRequestEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.peer = peer;
            event.time = nanos;
            event.commit();
        }
    }
}
