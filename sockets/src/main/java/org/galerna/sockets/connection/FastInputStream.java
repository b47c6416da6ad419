package org.galerna.sockets.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;

/** What a socket's stream of bytes to read stands on. */
public final class FastInputStream extends InputStream {
    private final Endpoint socket;
    private final FastConnection connection;

    public FastInputStream(Endpoint socket, FastConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        socket.checkMayWait();
        try {
            return connection.read(target, offset, length, socket.timeout());
        } catch (ClosedByInterruptException interrupted) {
            socket.close(); // the platform has closed what is below
            throw interrupted;
        }
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
