package org.galerna.sockets;

import java.io.IOException;
import java.io.InputStream;

/** What a socket's stream of bytes to read stands on. */
final class FastInputStream extends InputStream {
    private final FastSocketImpl socket;
    private final FastConnection connection;

    FastInputStream(FastSocketImpl socket, FastConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return connection.read(one, 0, 1, socket.timeout()) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return connection.read(target, offset, length, socket.timeout());
    }

    @Override
    public int available() throws IOException {
        return connection.available();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
