package org.galerna.messaging.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.connection.ConnectionContext;
import org.galerna.messaging.connection.ConnectionLimit;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.handshake.Acceptor;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.handshake.Directory;
import org.galerna.messaging.handshake.Greeting;
import org.galerna.messaging.handshake.Introduction;
import org.galerna.messaging.handshake.PendingStreams;
import org.galerna.messaging.handshake.SecureCall;
import org.galerna.messaging.handshake.Verdict;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.TimeLimit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a node: opened at first use, one to each other node, however many threads ask and whichever of the two
 * begins. When both call each other at once, the call of the node with the lower number is used.
 *
 * <p>Each start of a node has an incarnation, a number greater than those before. A call of a later one ends the connection
 * to the earlier, whose process is gone or has been replaced.
 */
public final class Peers implements AutoCloseable {
    private static final int RANDOM_BITS = 20;

    /** What hears of connections that are open. */
    public interface Host {
        /** A connection is open, and may be used. */
        void connected(Connection connection);

        /** What a wait for a node fails with when its thread is interrupted, perhaps because this node is closed. */
        MessagingException interrupted(int node, MessagingException.Reason usual, @Nullable Throwable cause);
    }

    private final NodeConfig config;
    private final ConnectionContext context;
    private final Poller poller;
    private final Host host;
    private final Acceptor acceptor;
    private final long incarnation;
    private final LinkOpener links;
    private final Directory directory = new Directory();
    private final PendingStreams streams = new PendingStreams();
    private final Discovery discovery;
    private final Caller caller;
    private final AtomicReferenceArray<@Nullable Connection> open =
            new AtomicReferenceArray<>(NodeConfig.MAXIMUM_ID + 1);

    private final Obstacles obstacles;
    private final Object limit = new Object();

    // guarded by this
    private final Map<Integer, CompletableFuture<Connection>> opening = new HashMap<>();
    private final Set<Integer> dialing = new HashSet<>();
    private final Set<Integer> answering = new HashSet<>();
    private final Map<Integer, Long> newest = new HashMap<>();
    private boolean closed;

    /**
     * Listens, and answers nobody yet.
     *
     * @param keys of the cluster
     * @param poller of the node
     * @param failures where it logs
     * @throws IOException if it cannot listen at the node's address
     */
    public Peers(
            NodeConfig config,
            ClusterKeys keys,
            ConnectionContext context,
            Poller poller,
            FailureLog failures,
            Host host)
            throws IOException {
        this.config = config;
        this.context = context;
        this.poller = poller;
        this.host = host;
        this.obstacles = new Obstacles(config.id(), failures);
        this.links = new LinkOpener(
                config, streams, context.receive().counters(), context.receive().types());
        config.addresses().forEach(directory::set);
        Instant now = Instant.now();
        // grows with the time of the start; the random bits tell two starts of one millisecond apart
        this.incarnation = (now.toEpochMilli() << RANDOM_BITS) | new SecureRandom().nextInt(1 << RANDOM_BITS);
        this.discovery = new Discovery(config, keys, incarnation, directory);
        this.caller = new Caller(config, keys, incarnation, directory, discovery, this::meet);
        Answerer answerer = new Answerer(
                config, keys, incarnation, directory, streams, context, obstacles, new Admissions(), this::meet);
        this.acceptor =
                new Acceptor(context.threadName() + "acceptor", OwnAddress.listening(config), failures, answerer);
        directory.learn(
                config.id(), new Directory.Entry(incarnation, OwnAddress.advertised(config, acceptor.address())));
    }

    /** Fails unless a node may have this number. */
    public static void checkNode(int node) {
        if (node < 0 || node > NodeConfig.MAXIMUM_ID) {
            throw new IllegalArgumentException("a node's number is 0 to " + NodeConfig.MAXIMUM_ID + ", not " + node);
        }
    }

    /** Lets other nodes in, and begins to look for them. */
    public void start() {
        acceptor.open();
        discovery.start();
    }

    public InetSocketAddress address() {
        return acceptor.address();
    }

    public long refusedCallers() {
        return acceptor.refused();
    }

    public void addAddress(int node, InetSocketAddress address) {
        checkNode(node);
        directory.set(node, address);
    }

    public Set<Integer> known() {
        return directory.nodes();
    }

    private void checkAddress(int node) {
        if (directory.address(node) == null && !discovery.isOn()) {
            throw new IllegalArgumentException("node " + config.id() + " has no address of a node " + node);
        }
    }

    // ---- finding

    /** The connection to a node if there is one; otherwise one begins to be opened. */
    public @Nullable Connection find(int node) {
        Connection connection = open.get(node);
        if (connection == null) {
            CompletableFuture<Connection> ignored = open(node);
        }
        return connection;
    }

    /**
     * The connection to a node; waits until it is open.
     *
     * @throws MessagingException if it cannot be opened
     */
    public Connection get(int node) {
        Connection connection = open.get(node);
        return connection != null
                ? connection
                : await(node, open(node), attemptNanos(), MessagingException.Reason.UNREACHABLE);
    }

    /**
     * As {@link #get(int)}, until a time limit.
     *
     * @param deadline as of {@link System#nanoTime}
     */
    public Connection get(int node, long deadline) {
        Connection connection = open.get(node);
        if (connection != null) {
            return connection;
        }
        CompletableFuture<Connection> future = open(node);
        long left = deadline - System.nanoTime();
        return left < attemptNanos()
                ? await(node, future, left, MessagingException.Reason.TIMEOUT)
                : await(node, future, attemptNanos(), MessagingException.Reason.UNREACHABLE);
    }

    /** A little longer than an attempt itself, whose error says more. */
    private long attemptNanos() {
        return TimeLimit.nanos(config.connectTimeout()) + Answerer.ANSWER_NANOS;
    }

    private Connection await(
            int node, CompletableFuture<Connection> future, long nanos, MessagingException.Reason late) {
        try {
            return future.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            MessagingException.Reason reason =
                    cause instanceof MessagingException known ? known.reason() : MessagingException.Reason.UNREACHABLE;
            throw new MessagingException(
                    reason, cause == null ? failed.toString() : String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException over) {
            throw new MessagingException(
                    late, "there is no connection with node " + node + " yet, and the time is over", over);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw host.interrupted(node, MessagingException.Reason.UNREACHABLE, interrupted);
        }
    }

    private synchronized CompletableFuture<Connection> open(int node) {
        Connection connection = open.get(node);
        if (connection != null) {
            return CompletableFuture.completedFuture(connection);
        }
        if (closed) {
            return CompletableFuture.failedFuture(closed());
        }
        checkAddress(node);
        CompletableFuture<Connection> future = opening.computeIfAbsent(node, _ -> new CompletableFuture<>());
        // while it is being answered a call of this side would make a second connection
        if (!answering.contains(node) && dialing.add(node)) {
            startToDial(node, future);
        }
        return future;
    }

    private void startToDial(int node, CompletableFuture<Connection> future) {
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name(context.threadName() + "call-" + node)
                    .inheritInheritableThreadLocals(false)
                    .start(() -> dial(node, future));
        } catch (
                Throwable failed) { // there can be no more threads at the moment: the next thread that asks tries again
            dialing.remove(node);
            opening.remove(node);
            future.completeExceptionally(failed);
        }
    }

    private MessagingException closed() {
        return new MessagingException(MessagingException.Reason.CLOSED, "node " + config.id() + " is closed");
    }

    // ---- calling

    private void dial(int node, CompletableFuture<Connection> future) {
        try {
            if (node == config.id()) {
                install(node, incarnation, links.loopback(), 0, Introduction.Peer.UNLIMITED);
            } else {
                caller.call(node, () -> future.isDone() || isClosed());
            }
        } catch (Throwable failed) { // whatever it is, somebody waits
            fail(node, failed);
        } finally {
            dialed(node);
        }
    }

    private synchronized void dialed(int node) {
        dialing.remove(node);
        callIfAsked(node); // since this call failed
    }

    // ---- answering

    /** Who calls is weighed against the calls and connections of this node. */
    private final class Admissions implements Answerer.Admission {
        @Override
        public Verdict admit(Greeting greeting, AtomicBoolean answers) {
            int node = greeting.from();
            Connection before;
            synchronized (Peers.this) {
                if (closed) {
                    return Verdict.CLOSING;
                }
                boolean discovers = greeting.purpose() == Greeting.Purpose.DISCOVERY;
                if (discovers ? node == config.id() : greeting.to() != config.id()) {
                    return Verdict.STRANGER; // or this very node, which is a seed itself
                }
                if (greeting.incarnation() < newest.getOrDefault(node, Long.MIN_VALUE)) {
                    return Verdict.SUPERSEDED;
                }
                if (discovers) {
                    return Verdict.ACCEPTED;
                }
                before = open.get(node);
                if (before != null && before.incarnation() == greeting.incarnation()) {
                    // either the caller does not know yet that it was answered, or it has lost what is about to be lost
                    // here
                    return Verdict.LATER;
                }
                if (answering.contains(node) || (dialing.contains(node) && config.id() < node)) {
                    return Verdict.LATER;
                }
                answering.add(node);
                answers.set(true);
            }
            if (before != null) {
                before.lose("it has been started again");
            }
            return Verdict.ACCEPTED;
        }

        @Override
        public void answered(int node) {
            synchronized (Peers.this) {
                answering.remove(node);
                callIfAsked(node);
            }
        }
    }

    private void callIfAsked(int node) {
        if (opening.containsKey(node) && !closed) {
            CompletableFuture<Connection> ignored = open(node);
        }
    }

    // ---- both

    private void meet(SecureCall call, int node) {
        links.open(
                call, node, (link, rankOfPeer, said) -> install(node, call.peerIncarnation(), link, rankOfPeer, said));
    }

    private void install(int node, long peerIncarnation, Link link, int rankOfPeer, Introduction.Peer said) {
        Connection connection = new Connection(context, node, peerIncarnation, link, rankOfPeer, said);
        CompletableFuture<Connection> future;
        Connection before;
        synchronized (this) {
            if (closed) {
                throw closed();
            }
            if (peerIncarnation < newest.getOrDefault(node, Long.MIN_VALUE)) {
                throw new CommunicationException("node " + node + " has been started again meanwhile");
            }
            newest.put(node, peerIncarnation);
            before = open.getAndSet(node, connection);
            future = opening.remove(node);
        }
        if (before != null) {
            before.lose("there is a newer connection to it");
        }
        host.connected(connection);
        obstacles.connected(node);
        said.differences().values().forEach(context.events()::differs);
        if (future != null) {
            future.complete(connection);
        }
        keepLimit(connection);
    }

    private void fail(int node, Throwable failure) {
        CompletableFuture<Connection> future;
        synchronized (this) {
            future = opening.remove(node);
        }
        if (future != null) {
            future.completeExceptionally(failure);
        }
    }

    // ---- the limit

    /**
     * Dismisses the connections that were used least recently, until there are no more than there may be. One that is in
     * use goes later, when the guard tries again.
     */
    public void keepLimit(@Nullable Connection newest) {
        synchronized (limit) { // the next one that counts sees what this one dismisses
            ConnectionLimit.exceeding(
                            poller.connections(),
                            config.connections(),
                            newest,
                            context.clock().now())
                    .forEach(Connection::dismiss);
        }
    }

    /** Forgets a connection that is lost. */
    public void remove(Connection connection) {
        open.compareAndSet(connection.peer(), connection, null);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Lets nobody in any more, and opens nothing. */
    @Override
    public void close() {
        Map<Integer, CompletableFuture<Connection>> given;
        synchronized (this) {
            closed = true;
            given = Map.copyOf(opening);
            opening.clear();
        }
        for (int node = 0; node < open.length(); node++) {
            open.set(node, null); // a thread that sends hears that this node is closed
        }
        discovery.close();
        acceptor.close();
        given.values().forEach(each -> each.completeExceptionally(closed()));
    }
}
