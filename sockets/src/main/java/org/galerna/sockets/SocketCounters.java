package org.galerna.sockets;

import java.util.Map;
import javax.management.MXBean;

/** What has become of the connections of this process, as {@code org.galerna:type=Sockets} among its management beans. */
@MXBean
public interface SocketCounters {
    /** Connections that this process has made and that went through shared memory. */
    long getConnectedFast();

    /** Connections that this process has accepted and that went through shared memory. */
    long getAcceptedFast();

    /** Ends of such connections that are open. */
    int getOpenFast();

    /** Bytes that those that are closed have sent through shared memory. */
    long getFastBytesSent();

    /** How many connections and listeners have stayed plain, by {@link PlainReason}. */
    Map<String, Long> getPlain();
}
