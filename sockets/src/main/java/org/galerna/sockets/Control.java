package org.galerna.sockets;

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
import java.util.concurrent.TimeUnit;
import org.galerna.nativeaccess.SocketIdentity;
import org.jspecify.annotations.Nullable;

/**
 * How this process talks to others on the host about connections between them: the sockets at which it is found, one for
 * each port it listens at, and a connection to each process that it has connections to. One thread serves them all; it
 * sleeps unless there is something to agree on, and has no part in moving data but for waking virtual threads.
 */
final class Control {
    /** How long a process that ends waits for other hosts to take what it has written. */
    private static final long BYE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final HostFolder folder;
    private final Registry<Long> registry;
    private final LinkControl.Outcome links;
    private final Selector selector;
    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final Map<String, ControlConnection> peers = new HashMap<>(); // guarded by itself
    private final Map<Path, Porch> porches = new ConcurrentHashMap<>();

    private Control(HostFolder folder, Settings settings) throws IOException {
        this.folder = folder;
        this.registry = new Registry<>(settings);
        this.links = LinkControl.open(settings, folder.files().user());
        this.selector = PlatformChannels.provider().openSelector();
    }

    /**
     * Opens what this process needs to talk to others.
     *
     * @throws IOException if it cannot
     */
    static Control open(Settings settings) throws IOException {
        Control control = new Control(HostFolder.open(settings.folder()), settings);
        Thread thread = new Thread(null, control::run, "galerna-sockets", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(null, control::leave, "galerna-sockets-exit", 0, false));
        } catch (IllegalStateException endingAlready) {
            // then the next process removes what is left
        }
        return control;
    }

    HostFolder folder() {
        return folder;
    }

    Registry<Long> registry() {
        return registry;
    }

    /** The way to other hosts; null if there is none. */
    @Nullable
    LinkControl links() {
        return links.control();
    }

    /** Why there is no way to other hosts. */
    LinkControl.@Nullable Obstacle linkObstacle() {
        return links.obstacle();
    }

    /** Has the thread do something soon. */
    void execute(Runnable task) {
        work.add(task);
        selector.wakeup();
    }

    /**
     * Lets others find the listener at an address.
     *
     * @throws IOException if somebody else is found there
     */
    Porch listen(InetAddress address, int port) throws IOException {
        Path path = folder.listener(address, port);
        Porch known = porches.get(path);
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
        LinkControl ways = links.control();
        Porch porch = new Porch(this, path, channel, ways == null ? null : ways.listen(address, port));
        porches.put(path, porch);
        execute(() -> {
            try {
                channel.register(selector, SelectionKey.OP_ACCEPT);
            } catch (IOException closedMeanwhile) {
                // nobody is found here any more
            }
        });
        return porch;
    }

    /** Nobody is to be found there any more. */
    void leave(Porch porch) {
        if (porches.remove(porch.path(), porch)) {
            deleteQuietly(porch.path()); // ours: others only take it from the dead
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
        porches.keySet().forEach(Control::deleteQuietly);
        LinkControl ways = links.control();
        if (ways != null) {
            ways.sayBye(BYE_NANOS);
        }
    }

    /**
     * The connection to the process that is found at a socket; does not wait for it.
     *
     * @throws IOException if nobody is there, or nobody who answers
     */
    ControlConnection connect(Path socket) throws IOException {
        // another socket of the same name is another process
        String key = socket.getFileName() + " " + Files.getAttribute(socket, "unix:ino");
        synchronized (peers) {
            ControlConnection known = peers.get(key);
            if (known != null && !known.hasEnded()) {
                return known;
            }
            peers.values().removeIf(ControlConnection::hasEnded);
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
            ControlConnection connection = new ControlConnection(this, channel, false);
            peers.put(key, connection);
            execute(() -> register(connection));
            return connection;
        }
    }

    /** The folder keeps other users out already; this keeps out those whom somebody has let in. */
    private void checkUser(SocketChannel channel) throws IOException {
        int user = SocketIdentity.peerUser(PlatformChannels.descriptor(channel));
        if (user != folder.files().user()) {
            throw new IOException("the process there belongs to the user with number " + user);
        }
    }

    private void register(ControlConnection connection) {
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
            Journal.defect(defect);
        }
    }

    private void handle(SelectionKey key) {
        runSafely(() -> {
            if (key.channel() instanceof ServerSocketChannel listener) {
                accept(listener);
            } else if (key.attachment() instanceof ControlConnection connection) {
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
                register(new ControlConnection(this, channel, true));
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
