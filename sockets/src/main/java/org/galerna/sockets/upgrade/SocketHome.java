package org.galerna.sockets.upgrade;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.galerna.nativeaccess.file.SystemCallException;
import org.galerna.nativeaccess.socket.SocketIdentity;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.connection.Upgrade;
import org.galerna.sockets.host.HostControl;
import org.galerna.sockets.host.Registration;
import org.galerna.sockets.network.Acceptor;
import org.galerna.sockets.network.Ends;
import org.galerna.sockets.network.LinkControl;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.report.SocketsPage;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/** What the fast sockets and channels of this process share: its settings, and the ways to other processes. Any thread. */
public final class SocketHome {
    /** How long a process that ends waits for other hosts to take what it has written. */
    private static final long BYE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Cleaner CLEANER = Cleaner.create();

    /** The ways to other processes of this host, and to other hosts. */
    private record Ways(HostControl host, LinkControl.Outcome links) {
        static Ways open(Settings settings) throws IOException {
            HostControl host = HostControl.open(settings);
            LinkControl.Outcome links =
                    LinkControl.open(settings, host.folder().files().user());
            LinkControl others = links.control();
            if (others != null) {
                host.atExit(() -> others.sayBye(BYE_NANOS));
            }
            return new Ways(host, links);
        }
    }

    private final Settings settings;
    private @Nullable Ways ways; // guarded by this, as the next one
    private boolean failed;

    /** What is opened when the first connection or listener needs it. */
    public SocketHome(Settings settings) {
        this.settings = settings;
    }

    /** Whether the settings, and this machine, let connections to this port be fast. */
    public boolean allows(int port, Supplier<String> what) {
        if (!settings.allows(port)) {
            ConnectionLog.plain(FallbackReason.PORT, what.get());
            return false;
        }
        return start(what);
    }

    private synchronized boolean start(Supplier<String> what) {
        if (ways == null && !failed) {
            try {
                ways = Ways.open(settings);
                Thread bean = new Thread(null, SocketHome::register, "galerna-sockets-bean", 0, false);
                bean.setDaemon(true);
                bean.start();
            } catch (IOException | RuntimeException | LinkageError cannot) {
                failed = true;
                ConnectionLog.off(String.valueOf(cannot.getMessage()));
            }
        }
        if (ways == null) {
            ConnectionLog.plain(FallbackReason.NO_MEMORY, what.get());
        }
        return ways != null;
    }

    /** Takes a while, which no socket has to wait for. */
    private static void register() {
        SocketsPage.show();
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

    private synchronized Ways ways() {
        if (ways == null) {
            throw new IllegalStateException("not started");
        }
        return ways;
    }

    /** What offers a pipe for a connection of this process. */
    public Upgrade upgrade(InetSocketAddress local, InetSocketAddress remote) {
        Ways open = ways();
        return new UpgradeOffer(open.host(), open.links(), settings, local, remote);
    }

    /** Lets others find a listener; null if they cannot. */
    public @Nullable Registration listen(InetAddress address, int port, boolean shared) {
        String what = "listener at " + address + " port " + port;
        if (shared) {
            ConnectionLog.plain(FallbackReason.SHARED_PORT, what);
            return null;
        }
        try {
            Ways open = ways();
            return open.host().listen(address, port, () -> openToOtherHosts(open.links(), address, port));
        } catch (IOException | RuntimeException | LinkageError cannot) {
            ConnectionLog.plain(FallbackReason.NO_LISTENER, what + ": " + cannot.getMessage());
            return null;
        }
    }

    private static @Nullable Runnable openToOtherHosts(LinkControl.Outcome links, InetAddress address, int port) {
        LinkControl others = links.control();
        Acceptor acceptor = others == null ? null : others.listen(address, port);
        return acceptor == null ? null : acceptor::close;
    }

    /** What releases a registration when the socket is closed, or collected. */
    public static Cleaner.Cleanable lease(Object socket, Registration registration) {
        return CLEANER.register(socket, registration::release);
    }

    /**
     * A connection was accepted that others can offer pipes for.
     *
     * @return what is to be done when it is closed
     */
    public Runnable accepted(
            int descriptor, InetSocketAddress remote, InetSocketAddress local, UpgradableConnection connection) {
        Ways open = ways();
        LinkControl links = open.links().control();
        Ends ends = links == null ? null : Ends.of(remote, local);
        if (links != null && ends != null) {
            links.registry().accepted(ends, connection);
        }
        long cookie = 0;
        try {
            cookie = SocketIdentity.cookie(descriptor);
            open.host().registry().accepted(cookie, connection);
        } catch (SystemCallException unknown) {
            ConnectionLog.plain(FallbackReason.NO_IDENTITY, connection.toString());
        }
        long known = cookie;
        return () -> {
            open.host().registry().closed(known);
            if (links != null && ends != null) {
                links.registry().closed(ends);
            }
        };
    }
}
