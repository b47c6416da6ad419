package org.galerna.sockets;

import java.util.Map;
import javax.management.MXBean;

/** What has become of the connections of this process, as {@code org.galerna:type=Sockets} among its management beans. */
@MXBean
public interface SocketCounters {
    /** Connections that this process has made and that went through shared memory or a network for messages. */
    long getConnectedFast();

    /** Connections that this process has accepted and that did so. */
    long getAcceptedFast();

    /** Ends of such connections that are open. */
    int getOpenFast();

    /** Bytes that those that are closed have sent that way. */
    long getFastBytesSent();

    /** How many connections, made and accepted, were fast, by what they went through: {@code shm}, or the name of a network. */
    Map<String, Long> getFast();

    /** How many connections and listeners have stayed plain, by {@link FallbackReason}. */
    Map<String, Long> getPlain();
}
