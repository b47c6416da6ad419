package org.galerna.sockets.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.galerna.link.process.EndOfProcess;
import org.galerna.nativeaccess.socket.SocketIdentity;
import org.galerna.sockets.offer.OfferRegistry;
import org.galerna.sockets.pipe.HostFolder;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * How this process talks to others on the host about connections between them: the sockets at which it is found, one for
 * each port it listens at, and a connection to each process that it has connections to. One thread serves them all; it
 * sleeps unless there is something to agree on, and has no part in moving data but for waking virtual threads.
 */
public final class HostControl {
    private final HostFolder folder;
    private final OfferRegistry<Long> registry;
    private final Selector selector;
    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final Map<String, HostConnection> peers = new HashMap<>(); // guarded by itself
    private final Map<Path, Registration> registrations = new ConcurrentHashMap<>();

    private volatile Runnable atExit = () -> {};

    private HostControl(HostFolder folder, Settings settings) throws IOException {
        this.folder = folder;
        this.registry = new OfferRegistry<>(settings);
        this.selector = PlatformChannels.provider().openSelector();
    }

    /**
     * Opens what this process needs to talk to others.
     *
     * @throws IOException if it cannot
     */
    public static HostControl open(Settings settings) throws IOException {
        HostControl control = new HostControl(HostFolder.open(settings.folder()), settings);
        Thread thread = new Thread(null, control::run, "galerna-sockets", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
        try {
            EndOfProcess.add(control::leave);
        } catch (IllegalStateException endingAlready) {
            // then the next process removes what is left
        }
        return control;
    }

    public HostFolder folder() {
        return folder;
    }

    public OfferRegistry<Long> registry() {
        return registry;
    }

    /** Has something done when the process ends, after nobody is found here any more. */
    public void atExit(Runnable last) {
        atExit = last;
    }

    /** Has the thread do something soon. */
    public void execute(Runnable task) {
        work.add(task);
        selector.wakeup();
    }

    /**
     * Lets others find the listener at an address.
     *
     * @param opener opens what else is to be open as long as the listener is found, and returns what closes it; not called
     *     if it is found already
     * @throws IOException if somebody else is found there
     */
    public Registration listen(InetAddress address, int port, Supplier<@Nullable Runnable> opener) throws IOException {
        Path path = folder.listener(address, port);
        Registration known = registrations.get(path);
        if (known != null && known.retain()) {
            return known;
        }
        ServerSocketChannel channel = PlatformChannels.provider().openServerSocketChannel(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            folder.locked(() -> {
                if (Files.exists(path)) {
                    if (HostFolder.isAlive(path)) {
                        throw new IOException(path + " belongs to another listener");
                    }
                    Files.deleteIfExists(path);
                }
                channel.bind(UnixDomainSocketAddress.of(path), 128);
            });
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
        Registration registration = new Registration(this, path, channel, opener.get());
        registrations.put(path, registration);
        execute(() -> {
            try {
                channel.register(selector, SelectionKey.OP_ACCEPT);
            } catch (IOException closedMeanwhile) {
                // nobody is found here any more
            }
        });
        return registration;
    }

    /** Nobody is to be found there any more. */
    public void leave(Registration registration) {
        if (registrations.remove(registration.path(), registration)) {
            deleteQuietly(registration.path()); // ours: others only take it from the dead
        }
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException leftToTheNextProcess) {
            // which removes it when it finds nobody there
        }
    }

    /** The process is about to end. */
    private void leave() {
        registrations.keySet().forEach(HostControl::deleteQuietly);
        atExit.run();
    }

    /**
     * The connection to the process that is found at a socket; does not wait for it.
     *
     * @throws IOException if no process is there, or none that answers
     */
    public HostConnection connect(Path socket) throws IOException {
        // another socket of the same name is another process
        String key = socket.getFileName() + " " + Files.getAttribute(socket, "unix:ino");
        synchronized (peers) {
            HostConnection known = peers.get(key);
            if (known != null && !known.hasEnded()) {
                return known;
            }
            peers.values().removeIf(HostConnection::hasEnded);
            SocketChannel channel = PlatformChannels.provider().openSocketChannel(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                SocketAddress address = UnixDomainSocketAddress.of(socket);
                if (!channel.connect(address)) {
                    throw new IOException("nobody answers at " + socket);
                }
                checkUser(channel);
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
            HostConnection connection = new HostConnection(this, channel, false);
            peers.put(key, connection);
            execute(() -> register(connection));
            return connection;
        }
    }

    /** The folder keeps other users out already; this keeps out those that somebody has let in. */
    private void checkUser(SocketChannel channel) throws IOException {
        int user = SocketIdentity.peerUser(PlatformChannels.descriptor(channel));
        if (user != folder.files().user()) {
            throw new IOException("the process there belongs to the user with number " + user);
        }
    }

    private void register(HostConnection connection) {
        try {
            connection.registered(connection.channel().register(selector, SelectionKey.OP_READ, connection));
        } catch (IOException closedMeanwhile) {
            connection.end();
        }
    }

    private void run() {
        while (true) {
            try {
                selector.select(this::handle);
            } catch (IOException | UncheckedIOException | CancelledKeyException closedMeanwhile) {
                // a listener or a connection that was closed while it was looked at
            }
            Runnable task;
            while ((task = work.poll()) != null) {
                runSafely(task);
            }
        }
    }

    /** Nothing that goes wrong for one connection may end what the others depend on. */
    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError defect) {
            ConnectionLog.defect(defect);
        }
    }

    private void handle(SelectionKey key) {
        runSafely(() -> {
            if (key.channel() instanceof ServerSocketChannel listener) {
                accept(listener);
            } else if (key.attachment() instanceof HostConnection connection) {
                connection.handle(key);
            }
        });
    }

    private void accept(ServerSocketChannel listener) {
        @Nullable SocketChannel channel = null;
        try {
            channel = listener.accept();
            if (channel != null) {
                channel.configureBlocking(false);
                checkUser(channel);
                register(new HostConnection(this, channel, true));
            }
        } catch (IOException refused) {
            closeQuietly(channel);
        }
    }

    private static void closeQuietly(@Nullable SocketChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException isGoneAllTheSame) {
                // it was refused
            }
        }
    }
}
