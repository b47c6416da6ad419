package org.galerna.sockets.channel;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.galerna.sockets.host.Registration;
import org.galerna.sockets.upgrade.SocketHome;
import org.jspecify.annotations.Nullable;

/** A listening channel of the platform that others find at a {@link Registration}, and whose connections may become fast. */
public final class FastServerSocketChannel extends ServerSocketChannel {
    private final SelectorProvider provider;
    private final SocketHome home;
    private final ServerSocketChannel tcp;
    private final List<ChannelKey> keys = new CopyOnWriteArrayList<>();
    private volatile @Nullable Registration registration;
    private volatile Cleaner.@Nullable Cleanable lease;
    private @Nullable ChannelServerSocket socket; // guarded by this

    public FastServerSocketChannel(SelectorProvider provider, SocketHome home, ServerSocketChannel tcp) {
        super(provider);
        this.provider = provider;
        this.home = home;
        this.tcp = tcp;
    }

    /** The platform's channel below this one. */
    public ServerSocketChannel tcp() {
        return tcp;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        tcp.bind(local, backlog);
        bound();
        return this;
    }

    /** Listens, and is to be found by others. */
    public void bound() throws IOException {
        InetSocketAddress bound = (InetSocketAddress) tcp.getLocalAddress();
        int port = bound.getPort();
        if (home.allows(port, () -> "listener at port " + port)) {
            Registration found = home.listen(bound.getAddress(), port, isPortShared());
            if (found != null) {
                lease = SocketHome.lease(this, found);
                registration = found;
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
    public void closeIfTcpIs() throws IOException {
        if (!tcp.isOpen()) {
            close();
        }
    }

    /** The channel for a connection that the platform has accepted. */
    public FastSocketChannel adopt(SocketChannel accepted) throws IOException {
        FastSocketChannel channel = new FastSocketChannel(provider, home, accepted);
        Registration way = registration;
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
        keys.forEach(ChannelKey::leave); // before the number of the descriptor is somebody else's
        Cleaner.Cleanable leased = lease;
        if (leased != null) {
            leased.clean();
        }
        tcp.close();
    }

    /** Registered with a selector. */
    public void registered(ChannelKey key) {
        keys.add(key);
    }

    /** Registered no more. */
    public void deregistered(ChannelKey key) {
        keys.remove(key);
    }

    @Override
    public String toString() {
        return tcp.toString();
    }
}
