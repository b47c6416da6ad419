package org.galerna.sockets.socket;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;
import org.galerna.sockets.connection.Endpoint;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.connection.FastInputStream;
import org.galerna.sockets.connection.FastOutputStream;
import org.galerna.sockets.connection.Upgrade;
import org.galerna.sockets.host.Registration;
import org.galerna.sockets.platform.Platform;
import org.galerna.sockets.upgrade.SocketHome;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link java.net.Socket} or {@link java.net.ServerSocket} of the platform is made of where fast sockets are
 * installed: the {@linkplain Platform platform's own implementation}, which does everything, and a {@link FastConnection}
 * for the bytes. Where there is the agent, sockets are of a {@linkplain PlatformHooks subclass} that only the platform sees.
 */
public class FastSocketImpl extends SocketImpl implements Endpoint {
    private final SocketHome home;
    private volatile SocketImpl tcp; // exchanged by accept only
    private volatile @Nullable FastConnection
            connection; // null while not connected, and for connections that stay plain
    private volatile @Nullable Registration listening; // of a listener that others find
    private volatile Cleaner.@Nullable Cleanable lease; // of the registration, also of a connection that came in by it
    private volatile @Nullable Runnable
            whenClosed; // to be ended, of an accepted socket that others can offer pipes for
    private volatile boolean closed;
    private volatile int timeout;
    private volatile boolean urgentInline;

    public FastSocketImpl(SocketHome home, boolean listener) {
        this.home = home;
        this.tcp = Platform.newSocket(listener);
    }

    @Override
    public @Nullable FastConnection connection() {
        return connection;
    }

    @Override
    protected void create(boolean stream) throws IOException {
        Platform.create(tcp, stream);
        fd = Platform.descriptor(tcp); // where programs look that look into sockets
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        connect(new InetSocketAddress(address, port), 0);
    }

    @Override
    protected void connect(SocketAddress address, int millis) throws IOException {
        Platform.connect(tcp, address, millis);
        int port = Platform.port(tcp);
        if (home.allows(port, () -> describe("connection to"))) {
            InetSocketAddress remote = new InetSocketAddress(Platform.address(tcp), port);
            InetAddress local = (InetAddress) tcp.getOption(SO_BINDADDR);
            Upgrade upgrade = home.upgrade(new InetSocketAddress(local, Platform.localPort(tcp)), remote);
            use(describe("connection to"), upgrade);
        }
    }

    private String describe(String what) {
        return what + " " + new InetSocketAddress(Platform.address(tcp), Platform.port(tcp)) + " from port "
                + Platform.localPort(tcp);
    }

    private FastConnection use(String name, @Nullable Upgrade upgrade) throws IOException {
        FastConnection made = new FastConnection(Platform.in(tcp), Platform.out(tcp), tcp, name, upgrade);
        made.takeUrgentInline(urgentInline);
        connection = made;
        return made;
    }

    @Override
    protected void bind(InetAddress address, int port) throws IOException {
        Platform.bind(tcp, address, port);
    }

    @Override
    protected void listen(int backlog) throws IOException {
        Platform.listen(tcp, backlog);
        int port = Platform.localPort(tcp);
        if (listening == null && home.allows(port, () -> "listener at port " + port)) {
            Registration made = home.listen(Platform.address(tcp), port, isPortShared());
            if (made != null) {
                lease = SocketHome.lease(this, made);
                listening = made;
            }
        }
    }

    private boolean isPortShared() throws IOException {
        return Platform.supportedOptions(tcp).contains(StandardSocketOptions.SO_REUSEPORT)
                && Platform.getOption(tcp, StandardSocketOptions.SO_REUSEPORT);
    }

    @Override
    protected void accept(SocketImpl socket) throws IOException {
        if (!(socket instanceof FastSocketImpl target)) {
            throw new IOException("An instance of " + getClass() + " cannot accept a connection with an instance of "
                    + socket.getClass());
        }
        SocketImpl accepted = Platform.newSocket(false);
        Platform.accept(tcp, accepted);
        target.adopt(accepted, listening);
    }

    private void adopt(SocketImpl accepted, @Nullable Registration way) throws IOException {
        Platform.close(tcp);
        tcp = accepted; // before it is looked whether this is closed, so that one of the two closes it
        fd = Platform.descriptor(accepted);
        if (closed) {
            Platform.close(accepted);
            throw new SocketException("Socket closed");
        }
        if (timeout != 0) {
            tcp.setOption(SO_TIMEOUT, timeout);
        }
        if (way != null && way.retain()) {
            lease = SocketHome.lease(this, way);
            FastConnection made = use(describe("connection by"), null);
            InetSocketAddress remote = new InetSocketAddress(Platform.address(tcp), Platform.port(tcp));
            InetAddress local = (InetAddress) tcp.getOption(SO_BINDADDR);
            whenClosed = home.accepted(
                    Platform.descriptorNumber(tcp),
                    remote,
                    new InetSocketAddress(local, Platform.localPort(tcp)),
                    made);
        }
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        FastConnection current = connection;
        return current == null ? Platform.in(tcp) : new FastInputStream(this, current);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        FastConnection current = connection;
        return current == null ? Platform.out(tcp) : new FastOutputStream(this, current);
    }

    @Override
    public int timeout() {
        return timeout;
    }

    @Override
    protected int available() throws IOException {
        FastConnection current = connection;
        return current == null ? Platform.available(tcp) : current.available();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        Cleaner.Cleanable leased = lease;
        if (leased != null) {
            leased.clean();
        }
        FastConnection current = connection;
        if (current != null) {
            Runnable registered = whenClosed;
            if (registered != null) {
                registered.run();
            }
            current.close(current.isFast() && lingersForNoTime());
        }
        Platform.close(tcp);
    }

    private boolean lingersForNoTime() {
        try {
            return tcp.getOption(SO_LINGER) instanceof Integer seconds && seconds == 0;
        } catch (SocketException closedAlready) {
            return false;
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        Platform.shutdownInput(tcp);
        FastConnection current = connection;
        if (current != null) {
            current.shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        FastConnection current = connection;
        if (current != null) {
            current.shutdownOutput();
        }
        Platform.shutdownOutput(tcp);
    }

    @Override
    protected boolean supportsUrgentData() {
        return Platform.supportsUrgentData(tcp);
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        FastConnection current = connection;
        if (current == null) {
            Platform.sendUrgentData(tcp, data);
        } else {
            current.sendUrgent(data, () -> Platform.sendUrgentData(tcp, data));
        }
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        FastConnection known = connection;
        if (known != null && option == TCP_NODELAY && value instanceof Boolean chosen) {
            known.noDelay().set(chosen, on -> tcp.setOption(TCP_NODELAY, on));
            return;
        }
        tcp.setOption(option, value);
        if (option == SO_TIMEOUT) {
            timeout = (Integer) value;
        } else if (option == SO_OOBINLINE) {
            urgentInline = (Boolean) value;
            FastConnection current = connection;
            if (current != null) {
                current.takeUrgentInline(urgentInline);
            }
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        FastConnection known = connection;
        return known != null && option == TCP_NODELAY
                ? known.noDelay().get(() -> (Boolean) tcp.getOption(TCP_NODELAY))
                : tcp.getOption(option);
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        FastConnection known = connection;
        if (known != null && option == StandardSocketOptions.TCP_NODELAY && value instanceof Boolean chosen) {
            known.noDelay().set(chosen, on -> Platform.setOption(tcp, StandardSocketOptions.TCP_NODELAY, on));
        } else {
            Platform.setOption(tcp, option, value);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        if (option == Endpoint.CONNECTION) {
            return option.type().cast(this);
        }
        FastConnection known = connection;
        return known != null && option == StandardSocketOptions.TCP_NODELAY
                ? option.type()
                        .cast(known.noDelay().get(() -> Platform.getOption(tcp, StandardSocketOptions.TCP_NODELAY)))
                : Platform.getOption(tcp, option);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return Platform.supportedOptions(tcp);
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        return Platform.descriptor(tcp);
    }

    @Override
    protected InetAddress getInetAddress() {
        return Platform.address(tcp);
    }

    @Override
    protected int getPort() {
        return Platform.port(tcp);
    }

    @Override
    protected int getLocalPort() {
        return Platform.localPort(tcp);
    }
}
