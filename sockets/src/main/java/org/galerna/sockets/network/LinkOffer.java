package org.galerna.sockets.network;

import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.offer.Offer;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;

/**
 * What a process on another host offers to one that has accepted a connection of it.
 *
 * @param room of its ring, in bytes
 */
public record LinkOffer(LinkConnection carrier, int id, int room) implements Offer {
    @Override
    public void accept(UpgradableConnection connection, Settings settings) {
        if (!Counters.INSTANCE.open(settings.connections())) {
            ConnectionLog.plain(FallbackReason.TOO_MANY, connection.toString());
            return;
        }
        Pipe pipe = carrier.accept(id, settings.ringBytes(), room);
        if (connection.attach(pipe)) {
            pipe.accept();
            Counters.INSTANCE.accepted(carrier.network());
            ConnectionLog.fast(connection.toString(), carrier.network());
        } else {
            pipe.abandon();
        }
    }
}
