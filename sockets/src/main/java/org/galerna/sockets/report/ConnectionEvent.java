package org.galerna.sockets.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight recorder: what has become of a connection or a listener. */
@Name("org.galerna.sockets.Connection")
@Label("Connection")
@Category({"Galerna", "Sockets"})
@Description("A connection goes through shared memory or a network for messages, or stays plain for a reason")
@StackTrace(false)
public final class ConnectionEvent extends Event {
    @Label("Connection")
    String connection = "";

    @Label("Fast")
    boolean fast;

    @Label("Reason")
    @Description("Why the connection stays plain")
    String reason = "";

    @Label("Pipe")
    @Description("What a fast connection goes through: shm, or the name of a network")
    String pipe = "";

    private ConnectionEvent() {}

    public static void commit(String connection, boolean fast, String reason, String pipe) {
        ConnectionEvent event = new ConnectionEvent();
        if (event.isEnabled()) {
            event.connection = connection;
            event.fast = fast;
            event.reason = reason;
            event.pipe = pipe;
            event.commit();
        }
    }
}
