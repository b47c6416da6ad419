package org.galerna.messaging.handshake;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.galerna.link.Entrance;

/**
 * The links of a node whose connections come in by its {@link Acceptor}, each known by a token that only the two nodes have that
 * open it. Somebody that has overheard a token gets as far as the link's own
 * handshake, as with a socket of the link. Any thread.
 */
public final class PendingStreams {
    private final Map<ByteBuffer, Consumer<SocketChannel>> expected = new HashMap<>(); // guarded by this

    /** Nobody is expected. */
    public PendingStreams() {}

    /** Hands over what comes with a token. */
    synchronized Entrance.Reception expect(byte[] token, Consumer<SocketChannel> receiver) {
        ByteBuffer key = ByteBuffer.wrap(token.clone());
        expected.put(key, receiver);
        return () -> forget(key, receiver);
    }

    private synchronized void forget(ByteBuffer key, Consumer<SocketChannel> receiver) {
        expected.remove(key, receiver);
    }

    /**
     * Hands a connection to the link that expects it. In the lock, so that nothing comes after the end.
     *
     * @throws IOException if none does
     */
    public synchronized void admit(SecureCall.Heard heard, SocketChannel channel) throws IOException {
        Consumer<SocketChannel> receiver = expected.get(ByteBuffer.wrap(heard.token()));
        if (receiver == null) {
            throw new ProtocolException("it is for a link that is not being opened here");
        }
        receiver.accept(channel);
    }
}
