package org.galerna.sockets.upgrade;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;
import org.galerna.nativeaccess.socket.SocketIdentity;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.connection.Upgrade;
import org.galerna.sockets.host.HostConnection;
import org.galerna.sockets.host.HostControl;
import org.galerna.sockets.network.LinkControl;
import org.galerna.sockets.pipe.HostFolder;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;

/**
 * What the end of a connection that has connected does to have it go through a pipe. On one host: when the connection has shown
 * that it is used, it looks in the {@link HostFolder} for the process that listens at the other end, asks the kernel which socket the
 * connection leads to ({@link SocketIdentity}), and offers memory to the owner of that very socket. Nothing of this waits
 * for the other process: until it has mapped the memory, the connection goes on over TCP.
 *
 * <p>A socket of another program, of another user, of another name space, or behind an address translation is never taken
 * for one of a peer, because peers name sockets by the cookies that the kernel gives them.
 *
 * <p>To other hosts the way is that of {@link LinkControl}, if there is one.
 */
public final class UpgradeOffer implements Upgrade {
    private final HostControl control;
    private final LinkControl.Outcome links;
    private final Settings settings;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean due = new AtomicBoolean();

    UpgradeOffer(
            HostControl control,
            LinkControl.Outcome links,
            Settings settings,
            InetSocketAddress local,
            InetSocketAddress remote) {
        this.control = control;
        this.links = links;
        this.settings = settings;
        this.local = local;
        this.remote = remote;
    }

    /** Counts a read or a write; true, once, when the connection is worth a pipe. */
    @Override
    public boolean isDue(long count) {
        int number = operations.incrementAndGet();
        long all = bytes.addAndGet(count);
        return (number > settings.operations() || all > settings.bytes()) && due.compareAndSet(false, true);
    }

    /** Offers a pipe for the connection if the other end can have one. */
    @Override
    public void offer(UpgradableConnection connection) {
        Path listener = control.folder().listenerFor(remote);
        if (settings.sharesMemory() && Files.exists(listener)) {
            offer(connection, listener);
        } else if (settings.sharesMemory() && isOnThisHost()) {
            ConnectionLog.plain(FallbackReason.NO_LISTENER, connection.toString());
        } else {
            offerToOtherHost(connection);
        }
    }

    private boolean isOnThisHost() {
        InetAddress there = remote.getAddress();
        try {
            return there.isLoopbackAddress()
                    || there.equals(local.getAddress())
                    || NetworkInterface.getByInetAddress(there) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }

    private void offerToOtherHost(UpgradableConnection connection) {
        LinkControl others = links.control();
        LinkControl.Obstacle obstacle = links.obstacle();
        if (others != null) {
            others.offer(connection, local, remote);
        } else if (obstacle != null) {
            ConnectionLog.plain(obstacle.reason(), connection + ": " + obstacle.text());
        }
    }

    private void offer(UpgradableConnection connection, Path listener) {
        Optional<SocketIdentity> peer;
        try {
            peer = SocketIdentity.of(remote, local);
        } catch (SystemCallException failed) {
            ConnectionLog.plain(FallbackReason.NO_IDENTITY, connection + ": " + failed.getMessage());
            return;
        }
        if (peer.isEmpty() || peer.get().cookie() == 0) {
            if (links.control() == null || isOnThisHost()) {
                ConnectionLog.plain(FallbackReason.NOT_HERE, connection.toString());
            } else {
                offerToOtherHost(connection); // where the same port is listened at
            }
        } else if (peer.get().user() != PosixFiles.instance().orElseThrow().user()) {
            ConnectionLog.plain(FallbackReason.OTHER_USER, connection.toString());
        } else if (!Counters.INSTANCE.open(settings.connections())) {
            ConnectionLog.plain(FallbackReason.TOO_MANY, connection.toString());
        } else {
            offer(connection, listener, peer.get().cookie());
        }
    }

    private void offer(UpgradableConnection connection, Path listener, long cookie) {
        HostConnection peer;
        try {
            peer = control.connect(listener);
        } catch (IOException failed) {
            Counters.INSTANCE.left();
            ConnectionLog.plain(FallbackReason.NO_ANSWER, connection + ": " + failed.getMessage());
            return;
        }
        long high = ThreadLocalRandom.current().nextLong();
        long low = ThreadLocalRandom.current().nextLong();
        PipeMemory memory;
        try {
            memory = PipeMemory.create(control.folder(), HostFolder.pipeName(high, low), settings.ringBytes());
        } catch (IOException failed) {
            Counters.INSTANCE.left();
            ConnectionLog.plain(FallbackReason.NO_MEMORY, connection + ": " + failed.getMessage());
            return;
        }
        peer.offer(memory, cookie, high, low, connection);
    }
}
