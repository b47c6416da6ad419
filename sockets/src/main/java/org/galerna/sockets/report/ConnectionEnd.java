package org.galerna.sockets.report;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** Flight recorder: the end of a connection; lasts from when it was fast on, or else from its beginning. */
@Name("org.galerna.sockets.ConnectionEnd")
@Label("Connection End")
@Category({"Galerna", "Sockets"})
@Description("A connection has ended, after so much time and so many bytes")
@StackTrace(false)
public final class ConnectionEnd extends Event {
    @Label("Connection")
    String connection = "";

    @Label("Fast")
    boolean fast;

    @Label("Pipe")
    @Description("What a fast connection went through: shm, or the name of a network")
    String pipe = "";

    @Label("Bytes Sent")
    @Description("Through the pipe of a fast connection, and over TCP")
    @DataAmount
    long bytesSent;

    @Label("Bytes Received")
    @Description("Through the pipe of a fast connection, and over TCP")
    @DataAmount
    long bytesReceived;

    @Label("Age")
    @Description("Time since the connection was made or accepted")
    @Timespan(Timespan.NANOSECONDS)
    long age;

    @Label("End")
    @Description("How the connection has ended")
    String end = "";

    private ConnectionEnd() {}

    /** Begins to measure, if anybody records; an event for {@link #commit}. */
    public static @Nullable Object start() {
        ConnectionEnd event = new ConnectionEnd();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * The connection has ended.
     *
     * @param started what {@link #start} has returned; null if it was not called
     * @param pipe what it went through; empty if it was plain
     */
    public static void commit(
            @Nullable Object started,
            String connection,
            String pipe,
            long bytesSent,
            long bytesReceived,
            long age,
            String end) {
        ConnectionEnd event = started instanceof ConnectionEnd begun ? begun : new ConnectionEnd();
        if (event.isEnabled()) {
            event.connection = connection;
            event.fast = !pipe.isEmpty();
            event.pipe = pipe;
            event.bytesSent = bytesSent;
            event.bytesReceived = bytesReceived;
            event.age = age;
            event.end = end;
            event.commit();
        }
    }
}
