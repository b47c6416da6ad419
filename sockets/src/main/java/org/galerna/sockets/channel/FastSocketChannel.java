package org.galerna.sockets.channel;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.connection.Upgrade;
import org.galerna.sockets.host.Registration;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.upgrade.SocketHome;
import org.jspecify.annotations.Nullable;

/**
 * A channel of the platform, to which everything is passed on, and a {@link ChannelConnection} for the bytes once it is
 * connected, unless the connection stays plain.
 */
public final class FastSocketChannel extends SocketChannel {
    private final SocketHome home;
    private final SocketChannel tcp;
    private final List<ChannelKey> keys = new CopyOnWriteArrayList<>();
    private volatile @Nullable ChannelConnection connection;
    private volatile Cleaner.@Nullable Cleanable lease; // of the registration of the listener that it came in by
    private volatile @Nullable Runnable whenClosed; // to be ended, of a channel that others can offer pipes for
    private volatile boolean outputShutdown;
    private @Nullable ChannelSocket socket; // guarded by this

    public FastSocketChannel(SelectorProvider provider, SocketHome home, SocketChannel tcp) {
        super(provider);
        this.home = home;
        this.tcp = tcp;
    }

    /** The platform's channel below this one. */
    public SocketChannel tcp() {
        return tcp;
    }

    public @Nullable ChannelConnection connection() {
        return connection;
    }

    /** Somebody came in by a listener that others find. */
    public void accepted(Registration way) throws IOException {
        if (way.retain()) {
            lease = SocketHome.lease(this, way);
            ChannelConnection made = use("connection by", null);
            whenClosed = home.accepted(
                    PlatformChannels.descriptor(tcp),
                    (InetSocketAddress) tcp.getRemoteAddress(),
                    (InetSocketAddress) tcp.getLocalAddress(),
                    made);
        }
    }

    private void connected() throws IOException {
        if (connection == null && tcp.getRemoteAddress() instanceof InetSocketAddress remote) {
            if (home.allows(remote.getPort(), () -> "connection to " + remote)) {
                InetSocketAddress local = (InetSocketAddress) tcp.getLocalAddress();
                use("connection to", home.upgrade(local, remote));
            }
        }
    }

    private ChannelConnection use(String what, @Nullable Upgrade upgrade) throws IOException {
        int port = ((InetSocketAddress) tcp.getLocalAddress()).getPort();
        String name = what + " " + tcp.getRemoteAddress() + " from port " + port;
        ChannelConnection made = new ChannelConnection(tcp, tcp.socket(), this, name, upgrade);
        connection = made;
        return made;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        tcp.bind(local);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        try {
            boolean done = tcp.connect(remote);
            if (done) {
                connected();
            }
            return done;
        } catch (IOException | RuntimeException failed) {
            closeIfTcpIs();
            throw failed;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        try {
            boolean done = tcp.finishConnect();
            if (done) {
                connected();
            }
            return done;
        } catch (IOException failed) {
            closeIfTcpIs();
            throw failed;
        }
    }

    /** Connects in another way. */
    public void connect(FastConnection.TcpAction way) throws IOException {
        try {
            way.run();
            connected();
        } catch (IOException | RuntimeException failed) {
            closeIfTcpIs();
            throw failed;
        }
    }

    /** What closes the platform's channel closes this one: an interrupt, or a connection that fails. */
    public void closeIfTcpIs() throws IOException {
        if (!tcp.isOpen()) {
            close();
        }
    }

    /** Waits from here on, so that an interrupt closes the channel; for the connection. */
    public void enter() {
        begin();
    }

    /** Waits no more; throws if the channel was closed meanwhile. */
    public void leave(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    private IOException translated(IOException failed) throws IOException {
        if (failed instanceof ClosedByInterruptException) {
            close();
        } else if (failed instanceof SocketException && !isOpen()) {
            return new AsynchronousCloseException();
        }
        return failed;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        ChannelConnection current = connection;
        try {
            return current == null || !isOpen() ? tcp.read(target) : current.read(writable(target), isBlocking());
        } catch (IOException failed) {
            throw translated(failed);
        }
    }

    private static ByteBuffer writable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        return target;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        ChannelConnection current = connection;
        try {
            if (current == null || !isOpen()) {
                return tcp.read(targets, offset, length);
            }
            for (int index = offset; index < offset + length; index++) {
                writable(targets[index]);
            }
            return current.read(targets, offset, length, isBlocking());
        } catch (IOException failed) {
            throw translated(failed);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        ChannelConnection current = connection;
        try {
            if (current == null || !isOpen()) {
                return tcp.write(source);
            }
            if (outputShutdown) {
                throw new AsynchronousCloseException();
            }
            return current.write(source, isBlocking());
        } catch (IOException failed) {
            throw translatedWrite(failed);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        ChannelConnection current = connection;
        try {
            if (current == null || !isOpen()) {
                return tcp.write(sources, offset, length);
            }
            if (outputShutdown) {
                throw new AsynchronousCloseException();
            }
            return current.write(sources, offset, length, isBlocking());
        } catch (IOException failed) {
            throw translatedWrite(failed);
        }
    }

    /** What a channel throws where the streams of a socket throw {@link SocketException}. */
    private IOException translatedWrite(IOException failed) throws IOException {
        IOException translated = translated(failed);
        return translated.getClass() == SocketException.class ? new IOException(translated.getMessage()) : translated;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        tcp.shutdownInput();
        inputIsShutDown();
        return this;
    }

    /** No more bytes are read. */
    public void inputIsShutDown() {
        ChannelConnection current = connection;
        if (current != null) {
            current.shutdownInput();
        }
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        shutDownOutput(tcp::shutdownOutput);
        return this;
    }

    /** Writes no more bytes; the pipe is ended before TCP is. */
    public void shutDownOutput(FastConnection.TcpAction overTcp) throws IOException {
        ChannelConnection current = connection;
        if (current != null) {
            outputShutdown = true;
            current.shutdownOutput();
        }
        overTcp.run();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        FastConnection current = connection;
        if (current != null && option == StandardSocketOptions.TCP_NODELAY && value instanceof Boolean chosen) {
            current.noDelay().set(chosen, on -> tcp.setOption(StandardSocketOptions.TCP_NODELAY, on));
        } else {
            tcp.setOption(option, value);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        FastConnection current = connection;
        return current != null && option == StandardSocketOptions.TCP_NODELAY
                ? option.type().cast(current.noDelay().get(() -> tcp.getOption(StandardSocketOptions.TCP_NODELAY)))
                : tcp.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public Socket socket() {
        synchronized (this) {
            if (socket == null) {
                try {
                    socket = new ChannelSocket(this, tcp.socket());
                } catch (SocketException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
            return socket;
        }
    }

    @Override
    public boolean isConnected() {
        return tcp.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return tcp.isConnectionPending();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return tcp.getRemoteAddress();
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
        ChannelConnection current = connection;
        if (current != null) {
            Runnable registered = whenClosed;
            if (registered != null) {
                registered.run();
            }
            current.close(current.isFast() && isReset(current));
        }
        tcp.close();
        ringSelectors(); // which forget the channel, and the pipe
    }

    /** As TCP does it: a channel that does not linger, or that leaves bytes unread, resets the connection. */
    private boolean isReset(ChannelConnection current) {
        try {
            return current.hasUnread() || Objects.equals(tcp.getOption(StandardSocketOptions.SO_LINGER), 0);
        } catch (IOException closedAlready) {
            return false;
        }
    }

    /** Registered with a selector. */
    public void registered(ChannelKey key) {
        keys.add(key);
    }

    /** Registered no more. */
    public void deregistered(ChannelKey key) {
        keys.remove(key);
    }

    /** Whether several selectors wait for this, none of which is the one to ring alone. */
    public boolean hasSeveralKeys() {
        return keys.size() > 1;
    }

    /** What selectors have to wait for is something else now. */
    public void updateKeys() {
        for (ChannelKey key : keys) {
            key.changed();
        }
    }

    /** Has the selectors look at this again. */
    public void ringSelectors() {
        for (ChannelKey key : keys) {
            key.ring();
        }
    }

    @Override
    public String toString() {
        return tcp.toString();
    }
}
