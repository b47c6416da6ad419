package org.galerna.sockets.connection;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;

/** What a socket's stream of bytes to write stands on. */
public final class FastOutputStream extends OutputStream {
    private final Endpoint socket;
    private final FastConnection connection;

    public FastOutputStream(Endpoint socket, FastConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        socket.checkMayWait();
        try {
            connection.write(source, offset, length);
        } catch (ClosedByInterruptException interrupted) {
            socket.close(); // the platform has closed what is below
            throw interrupted;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
