package org.galerna.sockets;

import java.io.IOException;

/**
 * What a process of this host offers: memory for both.
 *
 * @param name of the memory in the {@link HostFolder}
 */
record MemoryOffer(ControlConnection carrier, int id, String name, HostFolder folder) implements Offer {
    @Override
    public void accept(TurningConnection connection, Settings settings) {
        if (!Counters.INSTANCE.open(settings.connections())) {
            Journal.plain(PlainReason.TOO_MANY, connection.toString());
            return;
        }
        PipeMemory memory;
        try {
            memory = PipeMemory.open(folder, name);
        } catch (IOException failed) {
            Counters.INSTANCE.left();
            Journal.plain(PlainReason.NO_MEMORY, connection + ": " + failed.getMessage());
            return;
        }
        Pipe pipe = carrier.accept(memory, id);
        if (connection.attach(pipe)) {
            if (pipe.accept()) {
                Counters.INSTANCE.accepted(Settings.SHARED_MEMORY);
                Journal.fast(connection.toString(), Settings.SHARED_MEMORY);
            }
            // else the other end is about to close the connection
        } else {
            pipe.abandon();
        }
    }
}
