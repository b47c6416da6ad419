package org.galerna.sockets.offer;

import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.pipe.PipeTransport;
import org.galerna.sockets.settings.Settings;

/** What a process at the other end of a connection offers to the one that has accepted it. */
public interface Offer {
    /** Where it was offered. */
    PipeTransport carrier();

    /** What both call the pipe. */
    int id();

    /** Lets the connection use the pipe if the other end still wants that. */
    void accept(UpgradableConnection connection, Settings settings);
}
