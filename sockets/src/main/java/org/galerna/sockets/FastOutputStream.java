package org.galerna.sockets;

import java.io.IOException;
import java.io.OutputStream;

/** What a socket's stream of bytes to write stands on. */
final class FastOutputStream extends OutputStream {
    private final FastSocketImpl socket;
    private final FastConnection connection;

    FastOutputStream(FastSocketImpl socket, FastConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public void write(int value) throws IOException {
        connection.write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        connection.write(source, offset, length);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
