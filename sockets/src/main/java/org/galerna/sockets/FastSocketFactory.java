package org.galerna.sockets;

import java.net.SocketImpl;
import java.net.SocketImplFactory;

/**
 * Makes what sockets, or listeners, are made of where there is no agent. The platform takes one factory of each, once, so
 * that a program cannot set its own besides.
 */
record FastSocketFactory(FastSockets home, boolean listeners) implements SocketImplFactory {
    @Override
    public SocketImpl createSocketImpl() {
        return new FastSocketImpl(home, listeners);
    }
}
