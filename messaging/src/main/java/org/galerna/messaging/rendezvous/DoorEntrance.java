package org.galerna.messaging.rendezvous;

import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.Entrance;

/**
 * The door of the node that was called, for the links of that call: who has called knows where it is.
 *
 * @param call that was accepted
 * @param node this one
 * @param guests of this node's door
 */
public record DoorEntrance(Call call, int node, int peer, Guests guests) implements Entrance {
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
        return guests.expect(call.token(name), receiver);
    }
}
