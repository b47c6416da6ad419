package org.galerna.sockets;

import java.net.SocketOptions;

/** Options that nobody looks at. */
final class NoOptions implements SocketOptions {
    @Override
    public void setOption(int option, Object value) {}

    @Override
    public Object getOption(int option) {
        return true;
    }
}
