package org.galerna.sockets.connection;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the streams of a socket stand on: a socket's implementation, or the adaptor of a channel. */
public interface Endpoint {
    /** By which a socket tells what it is made of. */
    SocketOption<Object> CONNECTION = new SocketOption<>() {
        @Override
        public String name() {
            return "GALERNA_CONNECTION";
        }

        @Override
        public Class<Object> type() {
            return Object.class;
        }
    };

    /** What a socket is made of; empty if it is the platform's own. */
    static Optional<Endpoint> of(Socket socket) throws IOException {
        try {
            return socket.getOption(CONNECTION) instanceof Endpoint found ? Optional.of(found) : Optional.empty();
        } catch (UnsupportedOperationException ofThePlatform) {
            return Optional.empty();
        }
    }

    /** The connection, if it is one that is or may become fast. */
    @Nullable
    FastConnection connection();

    /** Longest time that a read waits, in milliseconds; 0 for ever. */
    int timeout();

    /** Has threads that must not wait here throw what they are to, and those that use what is closed. */
    default void checkMayWait() throws IOException {
        // all sockets but those of channels that do not wait
    }

    /** Closes the socket. */
    void close() throws IOException;
}
