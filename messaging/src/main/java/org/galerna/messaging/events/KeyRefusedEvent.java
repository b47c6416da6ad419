package org.galerna.messaging.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight Recorder: a caller has not proved the key of the cluster. */
@Name("org.galerna.messaging.KeyRefused")
@Label("Key Refused")
@Category({"Galerna", "Messaging"})
@Description("A caller has not proved the key of the cluster")
@StackTrace(false)
final class KeyRefusedEvent extends Event {
    @Label("Node")
    int node;

    @Label("Caller")
    @Description("Its address")
    String caller = "";

    @Label("Reason")
    String reason = "";

    private KeyRefusedEvent() {}

    static void commit(int node, String caller, String reason) {
        KeyRefusedEvent event = new KeyRefusedEvent();
        if (event.isEnabled()) {
            event.node = node;
            event.caller = caller;
            event.reason = reason;
            event.commit();
        }
    }
}
