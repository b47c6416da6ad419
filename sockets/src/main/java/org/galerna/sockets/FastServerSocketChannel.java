package org.galerna.sockets;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A listening channel of the platform that others find at a {@link Porch}, and whose connections may become fast. */
final class FastServerSocketChannel extends ServerSocketChannel {
    private final FastSelectorProvider provider;
    private final FastSockets home;
    private final ServerSocketChannel tcp;
    private final List<FastSelectionKey> keys = new CopyOnWriteArrayList<>();
    private volatile @Nullable Porch porch;
    private volatile Cleaner.@Nullable Cleanable lease;
    private @Nullable ChannelServerSocket socket; // guarded by this

    FastServerSocketChannel(FastSelectorProvider provider, FastSockets home, ServerSocketChannel tcp) {
        super(provider);
        this.provider = provider;
        this.home = home;
        this.tcp = tcp;
    }

    /** The platform's channel below this one. */
    ServerSocketChannel tcp() {
        return tcp;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        tcp.bind(local, backlog);
        bound();
        return this;
    }

    /** Listens, and is to be found by others. */
    void bound() throws IOException {
        InetSocketAddress bound = (InetSocketAddress) tcp.getLocalAddress();
        int port = bound.getPort();
        if (home.allows(port, () -> "listener at port " + port)) {
            Porch found = home.listen(bound.getAddress(), port, isPortShared());
            if (found != null) {
                lease = FastSockets.lease(this, found);
                porch = found;
            }
        }
    }

    private boolean isPortShared() throws IOException {
        return tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && tcp.getOption(StandardSocketOptions.SO_REUSEPORT);
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        try {
            SocketChannel accepted = tcp.accept();
            return accepted == null ? null : adopt(accepted);
        } finally {
            closeIfTcpIs();
        }
    }

    /** An interrupt closes the platform's channel. */
    void closeIfTcpIs() throws IOException {
        if (!tcp.isOpen()) {
            close();
        }
    }

    /** The channel for a connection that the platform has accepted. */
    FastSocketChannel adopt(SocketChannel accepted) throws IOException {
        FastSocketChannel channel = new FastSocketChannel(provider, home, accepted);
        Porch way = porch;
        if (way != null) {
            try {
                channel.accepted(way);
            } catch (IOException resetAlready) {
                // which its first user finds
            }
        }
        return channel;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return tcp.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        synchronized (this) {
            if (socket == null) {
                socket = new ChannelServerSocket(this, tcp.socket());
            }
            return socket;
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return tcp.getLocalAddress();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        tcp.configureBlocking(block);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        keys.forEach(FastSelectionKey::leave); // before the number of the descriptor is somebody else's
        Cleaner.Cleanable leased = lease;
        if (leased != null) {
            leased.clean();
        }
        tcp.close();
    }

    /** Registered with a selector. */
    void registered(FastSelectionKey key) {
        keys.add(key);
    }

    /** Registered no more. */
    void deregistered(FastSelectionKey key) {
        keys.remove(key);
    }

    @Override
    public String toString() {
        return tcp.toString();
    }
}
