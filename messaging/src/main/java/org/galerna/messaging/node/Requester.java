package org.galerna.messaging.node;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.galerna.memory.idle.IdleStrategy;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.counters.PeerCounters;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.outbound.SendScratch;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.pending.PendingRequest;
import org.galerna.messaging.support.TimeLimit;
import org.galerna.messaging.waiting.HandlerThread;
import org.galerna.messaging.waiting.ResponseWaiters;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;

/**
 * Asks other nodes. A thread that waits for its response looks for it, as {@link ResponseWaiters} says. A
 * thread that asks for a future never waits.
 */
public final class Requester {
    /** Mask of the rounds that look at the clock. */
    private static final int CLOCK_ROUNDS = 0xff;

    /** A thread that waits for a response while others poll sleeps so long before it looks itself. */
    private static final long FOLLOW_NANOS = 1_000_000;

    /** So long it yields before it sleeps: time for some requests of others on the same core, and their answers. */
    private static final long YIELD_NANOS = 200_000;

    /** A handler that waits in a receiver looks so often: perhaps nobody else does. */
    private static final long LOOK_NANOS = 200_000;

    private final NodeParts parts;
    private final ResponseWaiters waiters;
    private final Poller poller;
    private final Peers peers;
    private final Sender sender;
    private final ConnectionEvents events;
    private final Runnable guard;
    private final Map<Integer, Backlog> backlogs = new ConcurrentHashMap<>();

    /**
     * Nothing was asked yet.
     *
     * @param guard wakes the guard, which ends requests with futures whose time is over
     */
    Requester(NodeParts parts, Peers peers, Sender sender, ConnectionEvents events, Runnable guard) {
        this.parts = parts;
        this.waiters = parts.waiters();
        this.poller = parts.poller();
        this.peers = peers;
        this.sender = sender;
        this.events = events;
        this.guard = guard;
    }

    // ---- for threads that wait

    /** Asks a node, and waits for its response. */
    public <R> R request(int node, Object message, Class<R> response, Duration limit) {
        Peers.checkNode(node);
        WireType<Object> type = parts.types().of(message);
        long deadline = TimeLimit.deadline(limit);
        PendingRequest request = parts.requests().begin(node, limit, deadline, response, Thread.currentThread(), null);
        try {
            checkLimit(request, limit);
            SendScratch scratch = SendScratch.ofThread();
            scratch.giveUpAdvance();
            if (scratch.hasDeferred()) {
                sender.awaitDeferred(scratch, node, deadline);
            }
            send(request, type, message);
            await(request);
        } catch (MessagingException failed) {
            request.countFailure(failed);
            throw failed;
        } finally {
            if (!request.isDone()) { // something was thrown
                boolean ignored = parts.requests().forget(request);
            }
        }
        return response.cast(request.result());
    }

    private static void checkLimit(PendingRequest request, Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw request.timeOver();
        }
    }

    /** Sends a request over the connection of its node, and waits for that and for room until its time is over. */
    private <T> void send(PendingRequest request, WireType<T> type, T message) {
        while (!request.isDone()) { // may fail with its connection, or be cancelled
            Connection connection = peers.get(request.node(), request.deadline());
            request.goesBy(connection);
            int result = connection.send(
                    SendScratch.ofThread(), type, Frames.REQUEST, request.id(), message, request.deadline(), true);
            if (result == SendResult.SENT) {
                failIfLost(request, connection);
                return;
            }
            request.goesBy(null);
            Sender.retry(request.node(), request.deadline()); // the connection has just been lost: by the next one
        }
    }

    /** A thread that loses a connection does not find what is sent at that moment. */
    private void failIfLost(PendingRequest request, Connection connection) {
        if (connection.isLost() && parts.requests().forget(request)) {
            request.end(null, events.gone(request.node(), "the connection has ended"));
        }
    }

    // ---- for futures

    /** Asks a node, and never waits. */
    @SuppressWarnings("unchecked") // only objects of the response's class get there
    public <R> CompletableFuture<R> requestAsync(int node, Object message, Class<R> response, Duration limit) {
        try {
            Peers.checkNode(node); // before anything is counted of it
        } catch (IllegalArgumentException none) {
            return CompletableFuture.failedFuture(none);
        }
        PeerCounters peer = parts.counters().peer(node);
        if (!peer.beginFuture(parts.config().requests())) {
            return CompletableFuture.failedFuture(overloaded(node, peer));
        }
        CompletableFuture<Object> future = new CompletableFuture<>();
        PendingRequest request = parts.requests().begin(node, limit, TimeLimit.deadline(limit), response, null, future);
        CompletableFuture<?> ignored = future.whenComplete((_, _) -> {
            peer.endFuture();
            parts.requests().forget(request);
        });
        try {
            checkLimit(request, limit);
            if (parts.requests().first() == request) {
                guard.run(); // it sleeps until the time limit that was the first one before
            }
            WireType<Object> type = parts.types().of(message);
            SendScratch scratch = SendScratch.ofThread();
            scratch.giveUpAdvance();
            if (!trySend(scratch, request, type, message)) {
                queue(scratch, request, type, message);
            }
        } catch (Throwable failed) { // by the serializer, perhaps
            if (failed instanceof MessagingException known && parts.requests().forget(request)) {
                request.countFailure(known);
            }
            future.completeExceptionally(failed);
        }
        return (CompletableFuture<R>) future;
    }

    private MessagingException overloaded(int node, PeerCounters peer) {
        String text = "there are " + parts.config().requests() + " requests with futures under way to node " + node
                + ", as many as there may be";
        peer.countFailure(MessagingException.Reason.OVERLOADED);
        parts.events().limit(node, text);
        return new MessagingException(MessagingException.Reason.OVERLOADED, text);
    }

    private <T> boolean trySend(SendScratch scratch, PendingRequest request, WireType<T> type, T message) {
        if (sender.hasDeferred(scratch, request.node())) {
            return false;
        }
        Connection connection = peers.find(request.node());
        if (connection == null) {
            return false;
        }
        request.goesBy(connection);
        int result = connection.send(scratch, type, Frames.REQUEST, request.id(), message, request.deadline(), false);
        if (result == SendResult.SENT) {
            failIfLost(request, connection);
            return true;
        }
        request.goesBy(null);
        return false;
    }

    private <T> void queue(SendScratch scratch, PendingRequest request, WireType<T> type, T message) {
        byte[] bytes = scratch.bytesOf(parts.send(), type, message);
        parts.send().checkLength(type, Frames.REQUEST_HEADER_BYTES + (long) bytes.length);
        Backlog backlog = backlogs.computeIfAbsent(request.node(), node -> new Backlog(parts, node, this::send));
        Backlog.Queued queued = backlog.add(request, type.ofBytes(message), bytes);
        scratch.defer(queued);
        // also if it is done already
        request.whenEnded(() -> backlog.remove(queued));
    }

    // ---- waiting

    /**
     * Looks for the response for a while, or yields and sleeps while another thread does, and then leaves that to the
     * handlers, which sleep when there is nothing. The thread that finds it wakes this one.
     */
    private void await(PendingRequest request) {
        long longest = Long.MAX_VALUE;
        boolean polls = parts.wakeup().isHandler() || waiters.isLeader();
        if (polls) { // perhaps nobody else does
            look(request);
            longest = LOOK_NANOS;
            if (!request.isDone()) {
                HandlerThread.waitFor(request.node());
            }
        } else {
            boolean looked = lead(request);
            if (!request.isDone() && (!looked || waiters.isCrowded())) {
                follow(request);
                if (!request.isDone()) { // it takes long, or all handlers are held up by their receivers
                    boolean ignored = lead(request);
                }
            }
        }
        while (!request.isDone()) {
            LockSupport.parkNanos(request, Math.clamp(request.deadline() - System.nanoTime(), 1, longest));
            if (polls) {
                int ignored = poller.help();
            }
            endIfOver(request);
        }
        if (polls) {
            HandlerThread.waitFor(HandlerThread.NOBODY);
        }
    }

    /** Returns false, at once, if others poll. */
    private boolean lead(PendingRequest request) {
        if (!waiters.lead()) {
            return false;
        }
        try {
            look(request);
        } finally {
            waiters.stepDown();
        }
        return true;
    }

    private void look(PendingRequest request) {
        IdleStrategy waiting = waiters.waiting();
        int round = 0;
        do {
            int found = poller.help();
            if (request.isDone()) {
                break;
            }
            if (found > 0 && !parts.dispatcher().isEmpty() && waiters.isLeader()) {
                waiters.handOver();
                return;
            }
            if ((round & CLOCK_ROUNDS) == CLOCK_ROUNDS) {
                endIfOver(request);
            }
        } while (!request.isDone() && waiting.pause(round++));
        if (round > 0) {
            waiting.over(round);
        }
    }

    private void follow(PendingRequest request) {
        long end = System.nanoTime() + FOLLOW_NANOS;
        waiters.follow();
        try {
            yieldUntilDone(request);
            for (long left = FOLLOW_NANOS; left > 0 && !request.isDone(); left = end - System.nanoTime()) {
                LockSupport.parkNanos(request, left);
                endIfOver(request);
            }
        } finally {
            waiters.leave();
        }
    }

    /**
     * Leaves the core to the thread that finds the response, and gets it back without having been woken: waking takes the finder
     * some microseconds, and where the core has gone idle meanwhile, a virtual machine may need tens of them. Turns are
     * short, for a thread that yields gives up one of its length. Virtual threads sleep at once: there may be very many, and
     * waking them takes no system call.
     */
    private static void yieldUntilDone(PendingRequest request) {
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        SendScratch.ofThread().askForShortTurns();
        long now = System.nanoTime();
        long end = now + Math.min(YIELD_NANOS, request.deadline() - now);
        while (!request.isDone() && System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }

    private void endIfOver(PendingRequest request) {
        if (System.nanoTime() - request.deadline() > 0) {
            if (parts.requests().forget(request)) {
                request.end(null, request.timeOver());
            }
        } else if (Thread.currentThread().isInterrupted() && parts.requests().forget(request)) {
            request.end(null, events.interrupted(request.node(), MessagingException.Reason.TIMEOUT, null));
        }
    }
}
