package org.galerna.link.tcp.network;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.Entrance;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/**
 * A network whose connections come in by the {@link Entrance} of whatever has started the job. The notation of a socket is
 * the rank that is reached by it.
 */
public final class EntranceNetwork implements Network {
    private final Entrance entrance;
    private final Network network;

    /** The network by the entrance. */
    EntranceNetwork(Entrance entrance, Network network) {
        this.entrance = entrance;
        this.network = network;
    }

    @Override
    public Optional<String> unavailable() {
        return network.unavailable();
    }

    @Override
    public Listening listen(Wireup wireup) {
        return new Guest(entrance, wireup.rank());
    }

    private static final class Guest implements Listening {
        private final Entrance entrance;
        private final int rank;
        private Entrance.@Nullable Reception reception; // guarded by this, as the next one
        private boolean closed;

        Guest(Entrance entrance, int rank) {
            this.entrance = entrance;
            this.rank = rank;
        }

        @Override
        public List<ServerSocketChannel> listeners() {
            return List.of();
        }

        @Override
        public Address address() {
            return Address.here(List.of(String.valueOf(rank)));
        }

        @Override
        public void keepToThisHost() {
            // the entrance is not this link's
        }

        @Override
        public synchronized void receive(String name, Consumer<SocketChannel> receiver) {
            if (!closed) {
                reception = entrance.receive(name, receiver);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (reception != null) {
                reception.close();
            }
        }
    }

    @Override
    public List<SocketAddress> candidates(Address own, Address other) {
        return other.sockets().stream()
                .map(Integer::parseInt)
                .flatMap(rank -> entrance.address(rank).stream())
                .toList();
    }

    @Override
    public boolean isForPair() {
        return true;
    }

    @Override
    public boolean isCalledBy(int peer) {
        return entrance.address(peer).isEmpty();
    }

    @Override
    public byte[] preamble(String name) {
        return entrance.preamble(name);
    }

    @Override
    public SocketChannel open(SocketAddress target) throws IOException {
        return network.open(target);
    }

    @Override
    public void configure(SocketChannel accepted) throws IOException {
        network.configure(accepted);
    }

    @Override
    public void use(SocketChannel connected) throws IOException {
        network.use(connected);
    }
}
