package org.galerna.sockets.host;

import java.io.IOException;
import org.galerna.nativeaccess.file.SystemCallException;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.offer.Offer;
import org.galerna.sockets.pipe.HostFolder;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;

/**
 * What a process of this host offers: memory for both.
 *
 * @param name of the memory in the {@link HostFolder}
 */
public record MemoryOffer(HostConnection carrier, int id, String name, HostFolder folder) implements Offer {
    @Override
    public void accept(UpgradableConnection connection, Settings settings) {
        if (!Counters.INSTANCE.open(settings.connections())) {
            ConnectionLog.plain(FallbackReason.TOO_MANY, connection.toString());
            return;
        }
        PipeMemory memory;
        try {
            memory = PipeMemory.open(folder, name);
        } catch (IOException failed) {
            Counters.INSTANCE.left();
            if (failed instanceof SystemCallException call && call.errno() == SystemCallException.ENOENT) {
                ConnectionLog.plain(FallbackReason.WITHDRAWN, connection.toString());
            } else {
                ConnectionLog.plain(FallbackReason.NO_MEMORY, connection + ": " + failed.getMessage());
            }
            return;
        }
        Pipe pipe = carrier.accept(memory, id);
        if (connection.attach(pipe)) {
            if (pipe.accept()) {
                Counters.INSTANCE.accepted(Settings.SHARED_MEMORY);
                ConnectionLog.fast(connection.toString(), Settings.SHARED_MEMORY);
            }
            // else the other end is about to close the connection
        } else {
            pipe.abandon();
        }
    }
}
