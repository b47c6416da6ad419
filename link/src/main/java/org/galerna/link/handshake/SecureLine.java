package org.galerna.link.handshake;

import java.io.IOException;

/** What two processes talk over while they open a link: messages that arrive in order and that nobody else can read. */
public interface SecureLine extends AutoCloseable {
    /** Sends one message. */
    void send(byte[] message) throws IOException;

    /** Whether a message has begun to come, so that {@link #receive} does not wait for the other side to speak. */
    boolean hasMessage() throws IOException;

    /** Waits for one message. */
    byte[] receive() throws IOException;

    /** Ends it; idempotent. */
    @Override
    void close();
}
