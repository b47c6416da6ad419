package org.galerna.sockets.socket;

import java.net.SocketImpl;
import java.net.SocketImplFactory;
import org.galerna.sockets.upgrade.SocketHome;

/**
 * Makes what sockets, or listeners, are made of where there is no agent. The platform takes one factory of each, once, so
 * that a program cannot set its own besides.
 */
public record FastSocketFactory(SocketHome home, boolean listeners) implements SocketImplFactory {
    @Override
    public SocketImpl createSocketImpl() {
        return new FastSocketImpl(home, listeners);
    }
}
