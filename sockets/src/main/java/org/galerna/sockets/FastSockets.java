package org.galerna.sockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.process.EndOfProcess;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.socket.SocketIdentity;
import org.galerna.nativeaccess.thread.Futex;
import org.galerna.sockets.channel.FastSocketChannel;
import org.galerna.sockets.connection.Endpoint;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.platform.Platform;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
import org.galerna.sockets.socket.FastSocketFactory;
import org.galerna.sockets.upgrade.SocketHome;
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
    private static @Nullable SocketHome shared; // by sockets and channels; guarded by the class, as the next one
    private static boolean installed;

    private FastSockets() {}

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
    static synchronized void install(Consumer<SocketHome> way) {
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
    private static void setFactories(SocketHome sockets) {
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
    static synchronized Optional<SocketHome> forChannels() {
        Settings settings = Settings.fromProperties();
        Optional<String> obstacle = settings.enabled() ? obstacleOfSystem() : Optional.of("they are switched off");
        obstacle.ifPresent(ConnectionLog::off);
        return obstacle.isPresent() ? Optional.empty() : Optional.of(shared(settings));
    }

    private static synchronized SocketHome shared(Settings settings) {
        if (shared == null) {
            shared = new SocketHome(settings);
            if (Boolean.getBoolean(Settings.PREFIX + ".stats")) {
                EndOfProcess.add(ConnectionLog::summary);
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
        UpgradableConnection connection = channel instanceof FastSocketChannel fast ? fast.connection() : null;
        return connection != null && connection.isFast();
    }

    /** Whether bytes written to this socket go through shared memory at present. */
    public static boolean isFast(Socket socket) throws IOException {
        FastConnection connection =
                Endpoint.of(socket).map(Endpoint::connection).orElse(null);
        return connection != null && connection.isFast();
    }

    /** What has become of the connections of this process so far. */
    public static SocketCounters counters() {
        return Counters.INSTANCE;
    }
}
