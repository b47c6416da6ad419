package org.galerna.sockets;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.galerna.nativeaccess.Futex;
import org.galerna.nativeaccess.PosixFiles;
import org.galerna.nativeaccess.SocketIdentity;
import org.galerna.nativeaccess.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * Fast sockets in this process: from {@link #install} on, every {@link Socket} and {@link ServerSocket} that is made is one
 * whose connections go through shared memory when the process at the other end is on the same host and does so too, and so
 * is every channel, if none was opened before. With any other peer they are what they were. Nobody has to call this where the agent is given to Java by {@code -javaagent}.
 *
 * <p>Settings are system properties, read when this is installed: {@code galerna.sockets} is {@code on} or {@code off};
 * {@code galerna.sockets.include} and {@code galerna.sockets.exclude} list ports, such as {@code 80,8000-8100};
 * {@code galerna.sockets.log=true} logs for each connection why it stays plain; {@code galerna.sockets.after} and
 * {@code galerna.sockets.afterBytes} are the reads and writes, or bytes, after which a connection is made fast (8, 65,536);
 * {@code galerna.sockets.ring} is the room in each direction, in bytes (262,144); {@code galerna.sockets.connections} is
 * how many connections may be fast at a time (1024); {@code galerna.shm.folder} is where shared memory is
 * ({@code /dev/shm}); {@code galerna.sockets.key} is a file with a key, which lets connections to other hosts that have the
 * same one go over an adapter for InfiniBand, RoCE or iWARP; {@code galerna.sockets.pipes} is what connections may go through
 * ({@code shm,verbs}).
 */
public final class FastSockets {
    /** By which a socket tells what it is made of. */
    static final SocketOption<Object> CONNECTION = new SocketOption<>() {
        @Override
        public String name() {
            return "GALERNA_CONNECTION";
        }

        @Override
        public Class<Object> type() {
            return Object.class;
        }
    };

    private static final Cleaner CLEANER = Cleaner.create();

    private static @Nullable FastSockets shared; // by sockets and channels; guarded by the class, as the next one
    private static boolean installed;

    private final Settings settings;
    private @Nullable Control control; // guarded by this, as the next one
    private boolean failed;

    private FastSockets(Settings settings) {
        this.settings = settings;
    }

    /**
     * Has all sockets made from now on be fast where they can. Without effect if that has been done before.
     *
     * @throws IllegalStateException if it cannot be done in this process, with the reason and what to do
     * @throws IllegalArgumentException if a setting cannot be understood
     */
    public static void install() {
        install(FastSockets::setFactories);
    }

    /**
     * Does so in one of two ways.
     *
     * @param way has the platform make fast sockets
     */
    static synchronized void install(Consumer<FastSockets> way) {
        if (installed) {
            return;
        }
        Settings settings = Settings.fromProperties();
        Optional<String> obstacle = settings.enabled() ? obstacle() : Optional.of("they are switched off");
        if (obstacle.isPresent()) {
            throw new IllegalStateException("sockets cannot be fast: " + obstacle.get());
        }
        way.accept(shared(settings));
        installed = true;
        if (System.getProperty(FastSelectorProvider.PROPERTY) == null) {
            System.setProperty(FastSelectorProvider.PROPERTY, FastSelectorProvider.class.getName());
        }
    }

    @SuppressWarnings("deprecation") // not for removal: there is nothing else where there is no agent
    private static void setFactories(FastSockets sockets) {
        if (System.getProperty("socksProxyHost") != null) {
            throw new IllegalStateException(
                    "sockets cannot be fast: socksProxyHost is set, which sockets of a factory do "
                            + "not regard: start Java with -javaagent:<galerna-sockets.jar>");
        }
        try {
            Socket.setSocketImplFactory(new FastSocketFactory(sockets, false));
            ServerSocket.setSocketFactory(new FastSocketFactory(sockets, true));
        } catch (IOException taken) {
            throw new IllegalStateException("sockets cannot be fast: the program has a factory of its own", taken);
        }
    }

    /** What the channels of this process share with its sockets; empty if none of them can be fast. */
    static synchronized Optional<FastSockets> forChannels() {
        Settings settings = Settings.fromProperties();
        Optional<String> obstacle = settings.enabled() ? obstacleOfSystem() : Optional.of("they are switched off");
        obstacle.ifPresent(Journal::off);
        return obstacle.isPresent() ? Optional.empty() : Optional.of(shared(settings));
    }

    private static synchronized FastSockets shared(Settings settings) {
        if (shared == null) {
            shared = new FastSockets(settings);
            if (Boolean.getBoolean(Settings.PREFIX + ".stats")) {
                Runtime.getRuntime().addShutdownHook(new Thread(Journal::summary, "galerna-sockets-summary"));
            }
        }
        return shared;
    }

    /** What keeps sockets from being fast here, with what to do; empty if nothing does. */
    public static Optional<String> obstacle() {
        Optional<String> system = obstacleOfSystem();
        if (system.isPresent()) {
            return system;
        }
        try {
            Platform.check();
            return PlatformChannels.obstacle();
        } catch (IllegalStateException | LinkageError notOpen) {
            return Optional.of("the platform's sockets are closed to others: start Java with "
                    + "-javaagent:<galerna-sockets.jar>, or with --add-opens java.base/java.net=ALL-UNNAMED "
                    + "--add-opens java.base/java.io=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED");
        }
    }

    private static Optional<String> obstacleOfSystem() {
        return SocketIdentity.unavailable()
                .or(PosixFiles::unavailable)
                .or(() -> Futex.instance().isEmpty() ? Optional.of("the system has no futex") : Optional.empty());
    }

    /** Whether bytes written to this channel go through shared memory at present. */
    public static boolean isFast(SocketChannel channel) {
        TurningConnection connection = channel instanceof FastSocketChannel fast ? fast.connection() : null;
        return connection != null && connection.isFast();
    }

    /** Whether bytes written to this socket go through shared memory at present. */
    public static boolean isFast(Socket socket) throws IOException {
        FastConnection connection =
                implementation(socket).map(Endpoint::connection).orElse(null);
        return connection != null && connection.isFast();
    }

    /** What a socket is made of, if fast sockets are installed. */
    static Optional<Endpoint> implementation(Socket socket) throws IOException {
        try {
            return socket.getOption(CONNECTION) instanceof Endpoint found ? Optional.of(found) : Optional.empty();
        } catch (UnsupportedOperationException ofThePlatform) {
            return Optional.empty();
        }
    }

    /** What has become of the connections of this process so far. */
    public static SocketCounters counters() {
        return Counters.INSTANCE;
    }

    Settings settings() {
        return settings;
    }

    /** Whether the settings, and this machine, let connections to this port be fast. */
    boolean allows(int port, Supplier<String> what) {
        if (!settings.allows(port)) {
            Journal.plain(PlainReason.PORT, what.get());
            return false;
        }
        return start(what);
    }

    private synchronized boolean start(Supplier<String> what) {
        if (control == null && !failed) {
            try {
                control = Control.open(settings);
                Thread bean = new Thread(null, FastSockets::register, "galerna-sockets-bean", 0, false);
                bean.setDaemon(true);
                bean.start();
            } catch (IOException | RuntimeException | LinkageError cannot) {
                failed = true;
                Journal.off(String.valueOf(cannot.getMessage()));
            }
        }
        if (control == null) {
            Journal.plain(PlainReason.NO_MEMORY, what.get());
        }
        return control != null;
    }

    /** Takes a while, which no socket has to wait for. */
    private static void register() {
        try {
            Bean.register();
        } catch (RuntimeException | LinkageError withoutBean) {
            // the counters are there all the same: a runtime image may be without management
        }
    }

    /** A class of its own, because it cannot be loaded without management. */
    private static final class Bean {
        static void register() {
            try {
                ManagementFactory.getPlatformMBeanServer()
                        .registerMBean(Counters.INSTANCE, new ObjectName("org.galerna:type=Sockets"));
            } catch (JMException refused) {
                throw new IllegalStateException(refused);
            }
        }
    }

    synchronized Control control() {
        if (control == null) {
            throw new IllegalStateException("not started");
        }
        return control;
    }

    /** Lets others find a listener; null if they cannot. */
    @Nullable
    Porch listen(InetAddress address, int port, boolean shared) {
        String what = "listener at " + address + " port " + port;
        if (shared) {
            Journal.plain(PlainReason.SHARED_PORT, what);
            return null;
        }
        try {
            return control().listen(address, port);
        } catch (IOException | RuntimeException | LinkageError cannot) {
            Journal.plain(PlainReason.NO_LISTENER, what + ": " + cannot.getMessage());
            return null;
        }
    }

    /** What releases a porch when the socket is closed, or collected. */
    static Cleaner.Cleanable lease(Object socket, Porch porch) {
        return CLEANER.register(socket, porch::release);
    }

    /**
     * A connection was accepted that others can offer pipes for.
     *
     * @return what is to be done when it is closed
     */
    Runnable accepted(int descriptor, InetSocketAddress remote, InetSocketAddress local, TurningConnection connection) {
        Control found = control();
        LinkControl links = found.links();
        Ends ends = links == null ? null : Ends.of(remote, local);
        if (links != null && ends != null) {
            links.registry().accepted(ends, connection);
        }
        long cookie = 0;
        try {
            cookie = SocketIdentity.cookie(descriptor);
            found.registry().accepted(cookie, connection);
        } catch (SystemCallException unknown) {
            Journal.plain(PlainReason.NO_IDENTITY, connection.toString());
        }
        long known = cookie;
        return () -> {
            found.registry().closed(known);
            if (links != null && ends != null) {
                links.registry().closed(ends);
            }
        };
    }
}
