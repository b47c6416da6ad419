package org.galerna.bench.peers;

import java.util.List;
import java.util.Map;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.GalernaPath;

/** TCP over the loopback interface through blocking {@link java.nio.channels.SocketChannel}s. */
public final class TcpSockets extends JavaPeer {
    /** Needs nothing. */
    public TcpSockets() {
        super("sockets");
    }

    @Override
    Contender start() {
        return start(name(), "tcp");
    }

    /**
     * Starts two ranks over a socket of a family that {@link SocketEnd#main} knows. They are not bound to cores: ranks that
     * block are up to three times as fast where the system may place them.
     */
    static Contender start(String name, String family) {
        return ProcessContender.start(
                name,
                "",
                2,
                List.of(java(), "-cp", GalernaPath.classPath(), SocketEnd.class.getName(), family),
                Map.of());
    }
}
