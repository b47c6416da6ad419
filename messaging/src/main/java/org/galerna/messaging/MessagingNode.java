package org.galerna.messaging;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.galerna.memory.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster whose nodes send each other typed objects. Made by a {@link #builder}; any number of platform or
 * virtual threads use it at once.
 *
 * <p>Messages are serialized straight into the memory that leads to the receiver, and gather there by themselves. A send
 * returns when that has happened, and waits only while the receiver has not processed enough of what was sent before.
 * Connections are opened when they are first used. A message arrives once, or the {@link ConnectionListener} hears that the
 * connection is gone, and how many messages may not have arrived.
 */
public final class MessagingNode implements AutoCloseable {
    /** Mask of the rounds that look at the clock. */
    private static final int CLOCK_ROUNDS = 0xff;

    /** A thread that waits for a response while others poll sleeps so long before it looks itself. */
    private static final long FOLLOW_NANOS = 1_000_000;

    /** So long it yields before it sleeps: time for some requests of others on the same core, and their answers. */
    private static final long YIELD_NANOS = 200_000;

    /** A handler that waits in a receiver looks so often: perhaps nobody else does. */
    private static final long LOOK_NANOS = 200_000;

    private final NodeConfig config;
    private final Engine engine;
    private final Peers peers;
    private final AtomicBoolean closed = new AtomicBoolean();

    MessagingNode(NodeConfig config, Engine engine, Peers peers) {
        this.config = config;
        this.engine = engine;
        this.peers = peers;
    }

    static MessagingNode start(NodeConfig config, Engine engine) throws IOException {
        Peers peers = new Peers(engine);
        engine.start(peers);
        peers.start();
        return new MessagingNode(config, engine, peers);
    }

    /** A node to be configured and started. */
    public static NodeBuilder builder(int id) {
        return new NodeBuilder(id);
    }

    /** Number of this node. */
    public int id() {
        return config.id();
    }

    /** How it is configured. */
    public NodeConfig config() {
        return config;
    }

    /** Where it listens; with the port that the system has chosen if the configured one was 0. */
    public InetSocketAddress address() {
        return peers.address();
    }

    /** Tells where a node listens that joins, or has moved. */
    public void addAddress(int node, InetSocketAddress address) {
        checkNode(node);
        peers.addAddress(node, address);
    }

    /** Numbers of the nodes whose addresses this one has been given or has found, its own among them. */
    public Set<Integer> knownNodes() {
        return peers.known();
    }

    /** What the node has done so far. */
    public NodeStatistics statistics() {
        return engine.statistics(peers.refusedCallers());
    }

    private static void checkNode(int node) {
        if (node < 0 || node > NodeConfig.MAXIMUM_ID) {
            throw new IllegalArgumentException("a node's number is 0 to " + NodeConfig.MAXIMUM_ID + ", not " + node);
        }
    }

    // ---- messages

    /**
     * Sends a message to a node, which may be this one. Returns when it is on its way.
     *
     * @throws IllegalArgumentException if its class has no type, its node no address, or it is too long
     * @throws MessagingException if the node cannot be reached, or makes no room in time
     */
    public void send(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        send(scratch, node, scratch.typeOf(engine, message), message);
    }

    private <T> void send(SendScratch scratch, int node, MessageType<T> type, T message) {
        checkNode(node);
        Connection connection = peers.get(node);
        if (connection.send(scratch, type, Frames.MESSAGE, 0, message, Outbound.USUAL_DEADLINE, true)
                == Outbound.SENT) {
            return; // without a look at the clock, which would take as long as half of this
        }
        long deadline = System.nanoTime() + config.sendTimeout().toNanos();
        do {
            retry(node, deadline); // the connection has just been lost: by the next one
        } while (peers.get(node).send(scratch, type, Frames.MESSAGE, 0, message, deadline, true) != Outbound.SENT);
    }

    private void retry(int node, long deadline) {
        if (System.nanoTime() - deadline > 0) {
            throw new MessagingException(
                    MessagingException.Reason.UNREACHABLE, "the connection to node " + node + " ends again and again");
        }
        Thread.yield();
    }

    /** Sends a message to several nodes. What {@link #send(int, Object)} throws for one is thrown after all were tried. */
    public void send(Collection<Integer> nodes, Object message) {
        RuntimeException failure = null;
        for (int node : nodes) {
            try {
                send(node, message);
            } catch (MessagingException failed) {
                if (failure == null) {
                    failure = failed;
                } else {
                    failure.addSuppressed(failed);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Sends a message if that is possible without waiting.
     *
     * @return false if there is no room at the moment, or no connection yet; it begins to be opened
     * @throws IllegalArgumentException as {@link #send(int, Object)}, and if the message does not fit into one frame
     */
    public boolean trySend(int node, Object message) {
        SendScratch scratch = SendScratch.ofThread();
        return trySend(scratch, node, scratch.typeOf(engine, message), message);
    }

    private <T> boolean trySend(SendScratch scratch, int node, MessageType<T> type, T message) {
        checkNode(node);
        Connection connection = peers.find(node);
        return connection != null
                && connection.send(scratch, type, Frames.MESSAGE, 0, message, 0, false) == Outbound.SENT;
    }

    /**
     * Sends what the calling thread has gathered, to all nodes. Short messages of a thread that sends many lie together for
     * some microseconds after the last one; who does not want to wait for that calls this after it.
     *
     * @throws MessagingException if a node makes no room in time
     */
    public void flush() {
        SendScratch.ofThread().flush(engine);
    }

    // ---- requests

    /**
     * Asks a node, and waits for its response.
     *
     * @throws MessagingException if it fails: {@link MessagingException#reason} says how
     */
    public <R> R request(int node, Object message, Class<R> response, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        PendingRequest request = ask(node, engine.typeOf(message), message, deadline, Thread.currentThread(), null);
        await(request, node, timeout, deadline);
        return cast(node, response, request.result());
    }

    private static <R> R cast(int node, Class<R> response, Object object) {
        if (!response.isInstance(object)) {
            throw new MessagingException(
                    MessagingException.Reason.REMOTE,
                    "node " + node + " has answered with a " + object.getClass().getName() + ", not with a "
                            + response.getName());
        }
        return response.cast(object);
    }

    /**
     * Asks a node. The future completes with the response, or with a {@link MessagingException}; cancelling it only means
     * that nobody waits for the response any more. What depends on it runs on the thread that finds the response, which it
     * must not hold up for long; use the methods of the future whose names end with "Async" for what takes time.
     */
    public <R> CompletableFuture<R> requestAsync(int node, Object message, Class<R> response, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        PendingRequest request = ask(node, engine.typeOf(message), message, deadline, null, answer);
        CompletableFuture<R> future = answer.thenApply(object -> cast(node, response, object));
        CompletableFuture.delayedExecutor(
                        Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> timeOut(request, node, timeout));
        return forgetAtEnd(future, request);
    }

    private <R> CompletableFuture<R> forgetAtEnd(CompletableFuture<R> future, PendingRequest request) {
        CompletableFuture<R> ignored =
                future.whenComplete((_, _) -> engine.requests().forget(request));
        return future;
    }

    private <T> PendingRequest ask(
            int node,
            MessageType<T> type,
            T message,
            long deadline,
            @Nullable Thread waiter,
            @Nullable CompletableFuture<Object> future) {
        checkNode(node);
        while (true) {
            Connection connection = peers.get(node);
            PendingRequest request = engine.requests().begin(connection, waiter, future);
            boolean sent = false;
            try {
                sent = connection.send(
                                SendScratch.ofThread(), type, Frames.REQUEST, request.id, message, deadline, true)
                        == Outbound.SENT;
            } finally {
                if (!sent) {
                    engine.requests().forget(request);
                }
            }
            if (sent) {
                if (connection.isLost() && engine.requests().forget(request)) {
                    request.end(
                            null,
                            new MessagingException(MessagingException.Reason.UNREACHABLE, "node " + node + " is gone"));
                }
                return request;
            }
            if (request.isDone()) {
                return request; // failed with its connection
            }
            retry(node, deadline);
        }
    }

    /**
     * Looks for the response for a while, or yields and sleeps while another thread does, and then leaves that to the
     * handlers, which sleep when there is nothing. Who finds it wakes this thread.
     */
    private void await(PendingRequest request, int node, Duration timeout, long deadline) {
        long longest = Long.MAX_VALUE;
        boolean polls =
                engine.isHandler(Thread.currentThread()) || engine.waiters().isLeader();
        if (polls) { // perhaps nobody else does
            look(request, node, timeout, deadline);
            longest = LOOK_NANOS;
        } else {
            boolean looked = lead(request, node, timeout, deadline);
            if (!request.isDone() && (!looked || engine.waiters().isCrowded())) {
                follow(request, node, timeout, deadline);
                if (!request.isDone()) { // it takes long, or all handlers are held up by their receivers
                    boolean ignored = lead(request, node, timeout, deadline);
                }
            }
        }
        while (!request.isDone()) {
            LockSupport.parkNanos(request, Math.clamp(deadline - System.nanoTime(), 1, longest));
            if (polls) {
                int ignored = engine.poller().help();
            }
            endIfOver(request, node, timeout, deadline);
        }
    }

    /** Returns false, at once, if others poll. */
    private boolean lead(PendingRequest request, int node, Duration timeout, long deadline) {
        if (!engine.waiters().lead()) {
            return false;
        }
        try {
            look(request, node, timeout, deadline);
        } finally {
            engine.waiters().stepDown();
        }
        return true;
    }

    private void look(PendingRequest request, int node, Duration timeout, long deadline) {
        Waiting waiting = engine.waiters().waiting();
        int round = 0;
        do {
            int found = engine.poller().help();
            if (request.isDone()) {
                break;
            }
            if (found > 0 && !engine.dispatcher().isEmpty() && engine.waiters().isLeader()) {
                engine.waiters().handOver();
                return;
            }
            if ((round & CLOCK_ROUNDS) == CLOCK_ROUNDS) {
                endIfOver(request, node, timeout, deadline);
            }
        } while (!request.isDone() && waiting.pause(round++));
        if (round > 0) {
            waiting.over(round);
        }
    }

    private void follow(PendingRequest request, int node, Duration timeout, long deadline) {
        long end = System.nanoTime() + FOLLOW_NANOS;
        engine.waiters().follow();
        try {
            yieldUntilDone(request, deadline);
            for (long left = FOLLOW_NANOS; left > 0 && !request.isDone(); left = end - System.nanoTime()) {
                LockSupport.parkNanos(request, left);
                endIfOver(request, node, timeout, deadline);
            }
        } finally {
            engine.waiters().leave();
        }
    }

    /**
     * Leaves the core to whoever finds the response, and gets it back without having been woken: waking takes the finder
     * some microseconds, and where the core has gone idle meanwhile, a virtual machine may need tens of them. Turns are
     * short, for a thread that yields gives up one of its length. Virtual threads sleep at once: there may be very many, and
     * waking them takes no system call.
     */
    private static void yieldUntilDone(PendingRequest request, long deadline) {
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        SendScratch.ofThread().askForShortTurns();
        long now = System.nanoTime();
        long end = now + Math.min(YIELD_NANOS, deadline - now);
        while (!request.isDone() && System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }

    private void endIfOver(PendingRequest request, int node, Duration timeout, long deadline) {
        if (System.nanoTime() - deadline > 0) {
            timeOut(request, node, timeout);
        } else if (Thread.currentThread().isInterrupted() && engine.requests().forget(request)) {
            request.end(
                    null,
                    new MessagingException(
                            MessagingException.Reason.TIMEOUT, "interrupted while waiting for node " + node));
        }
    }

    private void timeOut(PendingRequest request, int node, Duration timeout) {
        if (engine.requests().forget(request)) {
            request.end(
                    null,
                    new MessagingException(
                            MessagingException.Reason.TIMEOUT,
                            "node " + node + " has not answered within " + timeout.toMillis() + " ms"));
        }
    }

    // ---- life

    /**
     * Waits, as long as the configuration says, until what was sent is processed; then ends every connection and thread.
     * Requests that are under way fail. Idempotent.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        peers.close();
        drain(System.nanoTime() + config.closeTimeout().toNanos());
        for (Connection each : engine.poller().connections()) {
            each.link().stop();
            each.link().drain(config.closeTimeout().toNanos());
            each.lose("this node is closed");
        }
        engine.stop();
    }

    private void drain(long deadline) {
        for (Connection each : engine.poller().connections()) {
            Turn turn = new Turn();
            turn.begin(engine, deadline, each.outbound(), null, false);
            try {
                while ((each.credit().inDoubt() > 0 || each.outbound().gathered() > 0) && !each.isLost()) {
                    turn.await();
                }
            } catch (MessagingException late) {
                return; // the listener hears how many messages are in doubt
            }
        }
    }
}
