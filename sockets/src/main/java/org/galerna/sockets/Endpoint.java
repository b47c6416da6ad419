package org.galerna.sockets;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What the streams of a socket stand on: a socket's implementation, or the adaptor of a channel. */
interface Endpoint {
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
