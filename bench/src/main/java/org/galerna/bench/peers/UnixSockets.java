package org.galerna.bench.peers;

import org.galerna.bench.suite.Contender;

/** UNIX-domain sockets through blocking {@link java.nio.channels.SocketChannel}s. */
public final class UnixSockets extends JavaPeer {
    /** Needs nothing. */
    public UnixSockets() {
        super("unix");
    }

    @Override
    Contender start() {
        return TcpSockets.start(name(), "unix");
    }
}
