package org.galerna.bench.peers;

import java.io.IOException;

/** One end of a connection between two ranks, for systems that know messages at most. Used by one thread. */
public interface MessageEnd {
    /**
     * Sends a message out of this end's buffer, and waits until the buffer may be changed.
     *
     * @param bytes at least 1
     */
    void send(int bytes) throws IOException;

    /**
     * Waits for the next message, and leaves it in this end's buffer.
     *
     * @param bytes its length, which both sides know
     */
    void receive(int bytes) throws IOException;

    /** Sends messages as {@link #send} does, as fast as they go. */
    default void sendWindow(int bytes, int messages) throws IOException {
        for (int message = 0; message < messages; message++) {
            send(bytes);
        }
    }

    /** Receives as many messages as {@link #sendWindow} sends. */
    default void receiveWindow(int bytes, int messages) throws IOException {
        for (int message = 0; message < messages; message++) {
            receive(bytes);
        }
    }
}
