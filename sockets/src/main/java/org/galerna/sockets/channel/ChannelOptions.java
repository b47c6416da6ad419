package org.galerna.sockets.channel;

import java.net.SocketException;
import java.net.SocketOptions;

/** Options of a connection that has them in another way, as a channel does. */
final class ChannelOptions implements SocketOptions {
    @Override
    public void setOption(int option, Object value) throws SocketException {
        throw new SocketException("a channel has its own options");
    }

    @Override
    public Object getOption(int option) throws SocketException {
        throw new SocketException("a channel has its own options");
    }
}
