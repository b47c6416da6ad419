package org.galerna.messaging.handshake;

import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.Entrance;

/**
 * Where the node that was called listens, for the links of that call: the caller knows where that is.
 *
 * @param call that was accepted
 * @param node this one
 * @param streams that come in where this node listens
 */
public record AcceptorEntrance(SecureCall call, int node, int peer, PendingStreams streams) implements Entrance {
    @Override
    public Optional<SocketAddress> address(int peerRank) {
        return call.called();
    }

    @Override
    public byte[] preamble(String name) {
        return Greeting.ofStream(node, peer).encode(call.token(name));
    }

    @Override
    public Reception receive(String name, Consumer<SocketChannel> receiver) {
        return streams.expect(call.token(name), receiver);
    }
}
