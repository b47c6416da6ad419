package org.galerna.link;

import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A listening socket of whatever has started the job, through which connections of its links come, too, so that a link over
 * TCP needs none of its own. Of two ranks one calls the other, and which one is settled.
 *
 * <p>An entrance only tells which link a connection is for. Who has opened it, the link finds out itself, as on any other
 * socket.
 *
 * <p>All methods may be called by any thread, and none blocks.
 */
public interface Entrance {
    /** Where a peer's entrance is; empty if this rank cannot call the peer, and is called by it. */
    Optional<SocketAddress> address(int peer);

    /**
     * What a channel to the peer's entrance begins with, so that it is handed to the link there that {@linkplain #receive
     * receives} under the same name.
     *
     * @param name the same on both sides; of one attachment of one link
     */
    byte[] preamble(String name);

    /**
     * Hands over the channels that begin with the {@link #preamble} of a name, which has been read.
     *
     * @param receiver takes a channel, which blocks, and closes it in the end; called by any thread, and must not block
     * @return ends that when it is closed
     */
    Reception receive(String name, Consumer<SocketChannel> receiver);

    /** Of a link that receives channels. */
    interface Reception extends AutoCloseable {
        /** Nothing is handed over any more once this has returned; idempotent. */
        @Override
        void close();
    }
}
