package org.galerna.sockets;

import java.io.IOException;

/**
 * What a process at the other end of a connection offers to the one that has accepted it.
 *
 * @param control where it was offered
 * @param id what both call the pipe
 * @param name of the memory in the {@link HostFolder}
 */
record Offer(ControlConnection control, int id, String name) {
    /** Maps the memory, and lets the connection use it if the other end still wants that. */
    void accept(HostFolder folder, TurningConnection connection, Settings settings) {
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
        Pipe pipe = control.accept(memory, id);
        if (connection.attach(pipe)) {
            if (pipe.accept()) {
                Counters.INSTANCE.accepted();
                Journal.fast(connection.toString());
            }
            // else the other end is about to close the connection
        } else {
            pipe.abandon();
        }
    }
}
