package org.galerna.link.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.galerna.link.tcp.network.InternetNetwork;
import org.galerna.link.tcp.network.Network;
import org.galerna.link.tcp.network.UnixNetwork;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.tcp.wire.StreamWire;
import org.galerna.link.tcp.wire.Wire;

/** What the links over sockets differ in. */
enum SocketKind {
    /** TCP without blocking. */
    TCP("tcp", new InternetNetwork()) {
        @Override
        Wire wire(SocketChannel channel, Runnable wakeUp) throws IOException {
            ChannelWire wire = ChannelWire.toArrays(channel);
            if (ChannelWire.isWithinHost(channel)) {
                wire.sendUnpaced(); // there is no line that could be congested
            }
            return wire;
        }
    },

    /** TCP through threads that block. */
    TCP_BLOCKING("tcp-blocking", new InternetNetwork()) {
        @Override
        Wire wire(SocketChannel channel, Runnable wakeUp) throws IOException {
            return StreamWire.start(channel, wakeUp);
        }

        @Override
        int threadsOfConnection() {
            return StreamWire.THREADS;
        }
    },

    /** UNIX-domain sockets without blocking. */
    UNIX("unix", new UnixNetwork()) {
        @Override
        Security security() {
            return Security.NONE;
        }

        @Override
        Wire wire(SocketChannel channel, Runnable wakeUp) {
            return ChannelWire.toArrays(channel);
        }
    };

    private final String linkName;
    private final Network network;

    SocketKind(String linkName, Network network) {
        this.linkName = linkName;
        this.network = network;
    }

    String linkName() {
        return linkName;
    }

    Network network() {
        return network;
    }

    /** Threads of the system for each connection. */
    int threadsOfConnection() {
        return 0;
    }

    /** What protects its connections. Files of one user on one host need no protection. */
    Security security() {
        return Security.fromSystemProperties();
    }

    /**
     * Begins to use a socket that the handshake is complete on.
     *
     * @param wakeUp to be run when something has come, or there is room again, that no selector tells
     */
    abstract Wire wire(SocketChannel channel, Runnable wakeUp) throws IOException;
}
