package org.galerna.sockets;

/**
 * What a process on another host offers to one that has accepted a connection of it.
 *
 * @param room of its ring, in bytes
 */
record LinkOffer(LinkConnection carrier, int id, int room) implements Offer {
    @Override
    public void accept(TurningConnection connection, Settings settings) {
        if (!Counters.INSTANCE.open(settings.connections())) {
            Journal.plain(PlainReason.TOO_MANY, connection.toString());
            return;
        }
        Pipe pipe = carrier.accept(id, settings.ringBytes(), room);
        if (connection.attach(pipe)) {
            pipe.accept();
            Counters.INSTANCE.accepted(carrier.network());
            Journal.fast(connection.toString(), carrier.network());
        } else {
            pipe.abandon();
        }
    }
}
