package org.galerna.sockets.network;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.handshake.Authenticator;
import org.galerna.link.handshake.SecureLine;
import org.galerna.link.pair.LinkChoice;
import org.galerna.link.pair.PairWireup;
import org.galerna.sockets.FallbackReason;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.offer.OfferRegistry;
import org.galerna.sockets.platform.OwnThreads;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.KeyFile;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * How this process gets at those on other hosts that know the same key: it opens a {@link Acceptor} beside each port it listens
 * at, and calls at that of others when a connection to them is worth it. With each process that it has called or been called
 * by there is one {@link LinkConnection}. Nobody waits for any of this but threads of this class.
 */
public final class LinkControl {
    private static final int CALLED = 1;
    private static final int THREADS = 8;
    private static final int MOST_LINKS = 256;
    private static final int CONNECT_MILLIS = 3000;
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How long nobody is called where nobody was found. */
    private static final long PLAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final LinkOptions OPTIONS = new LinkOptions(0, 0, true); // any thread sends

    private final Settings settings;
    private final Authenticator proof;
    private final List<String> networks;
    private final OfferRegistry<Ends> registry;
    private final Executor executor = executor();
    private final Map<Ends.Place, Callee> callees = new ConcurrentHashMap<>();
    private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();

    private LinkControl(Settings settings, Authenticator proof, List<String> networks) {
        this.settings = settings;
        this.proof = proof;
        this.networks = networks;
        this.registry = new OfferRegistry<>(settings);
    }

    /** Its threads end when there is nothing to do. */
    private static Executor executor() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> OwnThreads.make("galerna-sockets-calls", work));
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** What keeps this process from other hosts: for connections, and in words. */
    public record Obstacle(FallbackReason reason, String text) {}

    /** Either way that there is. */
    public record Outcome(
            @Nullable LinkControl control, @Nullable Obstacle obstacle) {}

    /** What this process can use, and may; nothing is loaded without a key. */
    public static Outcome open(Settings settings, int user) {
        List<String> names = settings.networks();
        if (settings.key() == null || names.isEmpty()) {
            return new Outcome(null, new Obstacle(FallbackReason.NO_KEY, FallbackReason.NO_KEY.text()));
        }
        Authenticator proof;
        try {
            proof = LinkCall.proof(KeyFile.read(settings.key(), user));
        } catch (IOException | RuntimeException unreadable) {
            String why = String.valueOf(unreadable.getMessage());
            ConnectionLog.linksOff(why);
            return new Outcome(null, new Obstacle(FallbackReason.NO_KEY, why));
        }
        List<String> usable = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        for (String name : names) {
            Optional<String> obstacle = obstacle(name);
            if (obstacle.isEmpty()) {
                usable.add(name);
            } else {
                obstacles.add(name + ": " + obstacle.get());
            }
        }
        if (usable.isEmpty()) {
            String why = String.join("; ", obstacles);
            ConnectionLog.linksOff(why);
            return new Outcome(null, new Obstacle(FallbackReason.NO_NETWORK, why));
        }
        return new Outcome(new LinkControl(settings, proof, List.copyOf(usable)), null);
    }

    private static Optional<String> obstacle(String name) {
        try {
            return LinkProvider.named(name).unavailable(new PairWireup(NOBODY, "sockets", LinkCall.CALLER));
        } catch (IllegalArgumentException | CommunicationException cannot) {
            return Optional.of(String.valueOf(cannot.getMessage()));
        }
    }

    /** For asking whether there is a network before there is anybody to talk to. */
    private static final SecureLine NOBODY = new SecureLine() {
        @Override
        public void send(byte[] message) {
            throw new CommunicationException("nobody is there yet");
        }

        @Override
        public boolean hasMessage() {
            return false;
        }

        @Override
        public byte[] receive() {
            throw new CommunicationException("nobody is there yet");
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    };

    /** The connections that this process has accepted. */
    public OfferRegistry<Ends> registry() {
        return registry;
    }

    // ---- called

    /** Lets others call a listener; null if they cannot. */
    public @Nullable Acceptor listen(InetAddress address, int port) {
        try {
            return Acceptor.open(
                    address, port, proof, (door, caller) -> executor.execute(() -> answer(door, caller, port)));
        } catch (IOException cannot) {
            ConnectionLog.plain(
                    FallbackReason.NO_LISTENER,
                    "listener at " + address + " port " + port + ": " + cannot.getMessage());
            return null;
        }
    }

    private void answer(Acceptor door, SocketChannel caller, int port) {
        LinkCall call = null;
        try {
            try {
                call = LinkCall.answer(
                        caller, proof, named -> named == port && hasRoom() ? LinkCall.WELCOME : LinkCall.NO_ROOM);
            } finally {
                door.heard();
            }
            join(call, CALLED);
        } catch (LinkCall.RefusedException refused) {
            ConnectionLog.plain(refused.reason(), "a call at port " + port + ": " + refused.getMessage());
        } catch (IOException | CommunicationException failed) {
            ConnectionLog.plain(FallbackReason.NO_ANSWER, "a call at port " + port + ": " + failed.getMessage());
        } catch (RuntimeException defect) {
            ConnectionLog.defect(defect);
        } finally {
            closeQuietly(caller);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException isGoneAllTheSame) {
            // nobody needs it any more
        }
    }

    private boolean hasRoom() {
        connections.removeIf(LinkConnection::hasEnded);
        return connections.size() < MOST_LINKS;
    }

    /** Opens the link of the two, as both do. */
    private LinkConnection join(LinkCall call, int rank) {
        try (PairWireup wireup = new PairWireup(call, "sockets-" + call.name(), rank)) {
            LinkChoice choice = LinkChoice.open(networks, wireup, OPTIONS, call.remainingNanos());
            choice.failed().forEach(why -> ConnectionLog.linkFailed(call.peer(), why));
            Link link = choice.link();
            try {
                LinkConnection made = new LinkConnection(link, LinkCall.CALLER + CALLED - rank, registry, executor);
                connections.add(made);
                made.start();
                return made;
            } catch (RuntimeException failed) {
                link.close();
                throw failed;
            }
        }
    }

    // ---- calling

    /** Has a connection of this process offered a pipe, if the process at its other end can be called. */
    public void offer(UpgradableConnection connection, InetSocketAddress local, InetSocketAddress remote) {
        callees.computeIfAbsent(Ends.Place.of(remote), place -> new Callee(remote))
                .offer(new Waiting(new WeakReference<>(connection), Ends.of(local, remote), connection.toString()));
    }

    /** A connection that waits for a call to come through; which keeps nobody from collecting it. */
    private record Waiting(WeakReference<UpgradableConnection> connection, Ends ends, String name) {}

    /** Where a program listens that this process has connections to. */
    private final class Callee {
        private final InetSocketAddress address;
        private final List<Waiting> waiting = new ArrayList<>(); // guarded by this, as those below
        private @Nullable LinkConnection link;
        private boolean calling;
        private LinkCall.@Nullable RefusedException refusal;
        private long refused;

        Callee(InetSocketAddress address) {
            this.address = address;
        }

        synchronized void offer(Waiting offered) {
            LinkConnection current = link;
            if (current != null && !current.hasEnded()) {
                executor.execute(() -> offer(current, offered));
                return;
            }
            LinkCall.RefusedException before = refusal;
            if (before != null && System.nanoTime() - refused < PLAIN_NANOS) {
                ConnectionLog.plain(before.reason(), offered.name + ": " + before.getMessage());
                return;
            }
            waiting.add(offered);
            if (!calling) {
                calling = true;
                executor.execute(this::call);
            }
        }

        private void call() {
            try {
                LinkConnection made = dial(address);
                done(made, null).forEach(each -> offer(made, each));
            } catch (LinkCall.RefusedException failed) {
                done(null, failed)
                        .forEach(each -> ConnectionLog.plain(failed.reason(), each.name + ": " + failed.getMessage()));
            } catch (RuntimeException defect) {
                ConnectionLog.defect(defect);
                done(
                        null,
                        new LinkCall.RefusedException(FallbackReason.NO_ANSWER, String.valueOf(defect.getMessage())));
            }
        }

        private synchronized List<Waiting> done(
                @Nullable LinkConnection made, LinkCall.@Nullable RefusedException failed) {
            link = made;
            refusal = failed;
            refused = System.nanoTime();
            calling = false;
            List<Waiting> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }

        private void offer(LinkConnection to, Waiting offered) {
            UpgradableConnection connection = offered.connection.get();
            if (connection == null) {
                return;
            }
            if (Counters.INSTANCE.open(settings.connections())) {
                to.offer(offered.ends, settings.ringBytes(), connection);
            } else {
                ConnectionLog.plain(FallbackReason.TOO_MANY, offered.name);
            }
        }
    }

    private LinkConnection dial(InetSocketAddress listener) throws LinkCall.RefusedException {
        if (!hasRoom()) {
            throw new LinkCall.RefusedException(
                    FallbackReason.TOO_MANY, "there are links to " + MOST_LINKS + " processes");
        }
        LinkCall.RefusedException last =
                new LinkCall.RefusedException(FallbackReason.NO_LISTENER, "nobody takes calls from other hosts there");
        for (int port : Acceptor.ports(proof, listener.getPort())) {
            try (SocketChannel channel = PlatformChannels.provider().openSocketChannel()) {
                channel.socket().connect(new InetSocketAddress(listener.getAddress(), port), CONNECT_MILLIS);
                return join(LinkCall.introduce(channel, proof, listener.getPort()), LinkCall.CALLER);
            } catch (LinkCall.RefusedException refused) {
                if (refused.reason() != FallbackReason.NO_LISTENER) {
                    last = refused;
                }
            } catch (CommunicationException noLink) {
                throw new LinkCall.RefusedException(FallbackReason.NO_NETWORK, String.valueOf(noLink.getMessage()));
            } catch (IOException nobody) {
                // the next port is tried
            }
        }
        throw last;
    }

    /** The process is about to end: waits until what was written has arrived, all at once, and no longer than a time. */
    public void sayBye(long nanos) {
        long deadline = System.nanoTime() + nanos;
        List<LinkConnection> left = new ArrayList<>(connections);
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            boolean some = left.removeIf(LinkConnection::leaves);
            for (LinkConnection each : left) {
                some |= each.progress();
            }
            if (!some) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }
}
