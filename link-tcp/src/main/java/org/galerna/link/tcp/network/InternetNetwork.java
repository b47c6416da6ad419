package org.galerna.link.tcp.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.galerna.link.Wireup;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.Closing;

/** TCP over IPv4 and IPv6. The notation of a socket is its address, a space, and its port. */
public final class InternetNetwork implements Network {
    /** Stands between an address of IPv6 and its interface. */
    private static final String SCOPE = "%";

    /**
     * What the system keeps of bytes that a peer on this host has not taken, in bytes; it doubles the number. The pages
     * that it uses in turn stay in the cache then. Left to itself it takes megabytes, as a long line would need.
     */
    private static final int NEAR_SEND_BUFFER = 128 * 1024;

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Network within(Wireup wireup) {
        return wireup.entrance()
                .<Network>map(entrance -> new EntranceNetwork(entrance, this))
                .orElse(this);
    }

    @Override
    public Listening listen(Wireup wireup) throws IOException {
        Interfaces.Choice choice = Interfaces.choose();
        Ports ports = new Ports(choice.named());
        try {
            for (InetAddress address : choice.addresses()) {
                ports.add(address);
            }
            return ports;
        } catch (IOException failed) {
            ports.close();
            throw failed;
        }
    }

    /** The listening sockets, on a port of the system's choice each. */
    private static final class Ports implements Listening {
        private final boolean named;
        private final List<ServerSocketChannel> listeners = new ArrayList<>();
        private final List<String> sockets = new ArrayList<>();

        Ports(boolean named) {
            this.named = named;
        }

        void add(InetAddress address) throws IOException {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listeners.add(listener);
            listener.configureBlocking(false);
            listener.bind(new InetSocketAddress(address, 0), BACKLOG);
            sockets.add(literal(address) + " " + port(listener));
        }

        private static int port(ServerSocketChannel listener) throws IOException {
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        }

        @Override
        public List<ServerSocketChannel> listeners() {
            return listeners;
        }

        @Override
        public Address address() {
            return Address.here(sockets);
        }

        @Override
        public void keepToThisHost() {
            if (named) {
                return;
            }
            for (ServerSocketChannel listener : listeners) {
                if (!listener.socket().getInetAddress().isLoopbackAddress()) {
                    Closing.quietly(listener);
                }
            }
        }

        @Override
        public void close() {
            listeners.forEach(Closing::quietly);
        }
    }

    @Override
    public List<SocketAddress> candidates(Address own, Address other) {
        Map<Boolean, List<SocketAddress>> sockets = other.sockets().stream()
                .flatMap(text -> parse(text).stream())
                .collect(Collectors.partitioningBy(
                        socket -> socket.getAddress().isLoopbackAddress(),
                        Collectors.mapping(socket -> socket, Collectors.toList())));
        List<SocketAddress> near = sockets.getOrDefault(true, List.of());
        // one address is enough: a host that answers slowly there answers slowly at the others
        return own.sharesNetworkWith(other) && !near.isEmpty() ? near : sockets.getOrDefault(false, List.of());
    }

    @Override
    public boolean isReachedFromHost(Address own) {
        for (String text : own.sockets()) {
            Optional<InetSocketAddress> socket = parse(text);
            if (socket.isPresent() && socket.get().getAddress().isLoopbackAddress()) {
                return true;
            }
        }
        return false;
    }

    /** Empty if the address is that of an interface which this host does not have. */
    private static Optional<InetSocketAddress> parse(String text) {
        int space = text.indexOf(' ');
        if (space < 0) {
            throw new IllegalArgumentException("no address and port: \"" + text + "\"");
        }
        String literal = text.substring(0, space);
        int port = Integer.parseInt(text.substring(space + 1));
        try {
            return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(literal), port));
        } catch (IllegalArgumentException noAddress) {
            if (literal.contains(SCOPE)) {
                return Optional.empty();
            }
            throw noAddress;
        }
    }

    /**
     * The address as peers can read it. The platform puts the name of the interface behind every address of IPv6, which
     * means something for those alone that only a link knows; other hosts have other names.
     */
    static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf(SCOPE);
        return scope < 0 || address.isLinkLocalAddress() ? text : text.substring(0, scope);
    }

    @Override
    public SocketChannel open(SocketAddress target) throws IOException {
        SocketChannel channel = SocketChannel.open();
        configure(channel);
        return channel;
    }

    @Override
    public void use(SocketChannel connected) throws IOException {
        if (ChannelWire.isWithinHost(connected)) {
            connected.setOption(StandardSocketOptions.SO_SNDBUF, NEAR_SEND_BUFFER);
        }
    }

    @Override
    public void configure(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
}
