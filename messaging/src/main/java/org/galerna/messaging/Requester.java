package org.galerna.messaging;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.galerna.memory.Waiting;

/**
 * Asks other nodes. A thread that waits for its response looks for it, as {@link ResponseWaiters} says; whoever wants a
 * future never waits.
 */
final class Requester {
    /** Mask of the rounds that look at the clock. */
    private static final int CLOCK_ROUNDS = 0xff;

    /** A thread that waits for a response while others poll sleeps so long before it looks itself. */
    private static final long FOLLOW_NANOS = 1_000_000;

    /** So long it yields before it sleeps: time for some requests of others on the same core, and their answers. */
    private static final long YIELD_NANOS = 200_000;

    /** A handler that waits in a receiver looks so often: perhaps nobody else does. */
    private static final long LOOK_NANOS = 200_000;

    private final Engine engine;
    private final Peers peers;
    private final Map<Integer, Backlog> backlogs = new ConcurrentHashMap<>();

    Requester(Engine engine, Peers peers) {
        this.engine = engine;
        this.peers = peers;
    }

    String threadName(String what) {
        return "galerna-messaging-" + engine.config().id() + "-" + what;
    }

    // ---- for who waits

    /** See {@link MessagingNode#request}. */
    <R> R request(int node, Object message, Class<R> response, Duration limit) {
        MessageType<Object> type = engine.typeOf(message);
        long deadline = TimeLimit.deadline(limit);
        PendingRequest request = engine.requests().begin(node, limit, deadline, response, Thread.currentThread(), null);
        try {
            checkLimit(request, limit);
            SendScratch scratch = SendScratch.ofThread();
            scratch.giveUpAdvance();
            if (scratch.hasQueued()) {
                awaitQueued(scratch, node, deadline);
            }
            send(request, type, message);
            await(request);
        } finally {
            if (!request.isDone()) { // something was thrown
                boolean ignored = engine.requests().forget(request);
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
    <T> void send(PendingRequest request, MessageType<T> type, T message) {
        while (!request.isDone()) { // may fail with its connection, or be cancelled
            Connection connection = peers.get(request.node, request.deadline);
            request.goesBy(connection);
            int result = connection.send(
                    SendScratch.ofThread(), type, Frames.REQUEST, request.id, message, request.deadline, true);
            if (result == Outbound.SENT) {
                failIfLost(request, connection);
                return;
            }
            request.goesBy(null);
            MessagingNode.retry(request.node, request.deadline); // the connection has just been lost: by the next one
        }
    }

    /** Whoever loses a connection does not find what is sent at that moment. */
    private void failIfLost(PendingRequest request, Connection connection) {
        if (connection.isLost() && engine.requests().forget(request)) {
            request.end(null, engine.gone(request.node, "the connection has ended"));
        }
    }

    /** Waits until what the calling thread has asked before has been sent to the node, or never will. */
    void awaitQueued(SendScratch scratch, int node, long deadline) {
        Backlog.Queued queued = scratch.lastQueued(engine, node);
        try {
            if (queued != null && !queued.awaitSettled(deadline - System.nanoTime())) {
                throw Turn.late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw engine.interrupted(node, MessagingException.Reason.TIMEOUT, interrupted);
        }
    }

    // ---- for futures

    /** See {@link MessagingNode#requestAsync}. */
    @SuppressWarnings("unchecked") // only objects of the response's class get there
    <R> CompletableFuture<R> requestAsync(int node, Object message, Class<R> response, Duration limit) {
        CompletableFuture<Object> future = new CompletableFuture<>();
        PendingRequest request =
                engine.requests().begin(node, limit, TimeLimit.deadline(limit), response, null, future);
        CompletableFuture<?> ignored =
                future.whenComplete((_, _) -> engine.requests().forget(request));
        try {
            MessagingNode.checkNode(node);
            checkLimit(request, limit);
            engine.lookAfterDeadline(request);
            MessageType<Object> type = engine.typeOf(message);
            SendScratch scratch = SendScratch.ofThread();
            scratch.giveUpAdvance();
            if (!trySend(scratch, request, type, message)) {
                queue(scratch, request, type, message);
            }
        } catch (Throwable failed) { // by the serializer, perhaps
            future.completeExceptionally(failed);
        }
        return (CompletableFuture<R>) future;
    }

    private <T> boolean trySend(SendScratch scratch, PendingRequest request, MessageType<T> type, T message) {
        if (scratch.hasQueued() && scratch.lastQueued(engine, request.node) != null) {
            return false;
        }
        Connection connection = peers.find(request.node);
        if (connection == null) {
            return false;
        }
        request.goesBy(connection);
        int result = connection.send(scratch, type, Frames.REQUEST, request.id, message, request.deadline, false);
        if (result == Outbound.SENT) {
            failIfLost(request, connection);
            return true;
        }
        request.goesBy(null);
        return false;
    }

    private <T> void queue(SendScratch scratch, PendingRequest request, MessageType<T> type, T message) {
        byte[] bytes = scratch.bytesOf(type, message);
        engine.checkLength(type, Frames.REQUEST_HEADER_BYTES + (long) bytes.length);
        Backlog backlog = backlogs.computeIfAbsent(request.node, node -> new Backlog(engine, node, this));
        Backlog.Queued queued = backlog.add(request, type.ofBytes(), bytes);
        scratch.queued(backlog, queued);
        // also if it is done already
        request.whenEnded(() -> backlog.remove(queued));
    }

    /** Fails those of these requests that nobody has ended yet. */
    void fail(List<PendingRequest> requests, MessagingException failure) {
        engine.endElsewhere(requests.stream().filter(engine.requests()::forget).toList(), _ -> failure);
    }

    // ---- waiting

    /**
     * Looks for the response for a while, or yields and sleeps while another thread does, and then leaves that to the
     * handlers, which sleep when there is nothing. The thread that finds it wakes this one.
     */
    private void await(PendingRequest request) {
        long longest = Long.MAX_VALUE;
        boolean polls =
                engine.isHandler(Thread.currentThread()) || engine.waiters().isLeader();
        if (polls) { // perhaps nobody else does
            look(request);
            longest = LOOK_NANOS;
        } else {
            boolean looked = lead(request);
            if (!request.isDone() && (!looked || engine.waiters().isCrowded())) {
                follow(request);
                if (!request.isDone()) { // it takes long, or all handlers are held up by their receivers
                    boolean ignored = lead(request);
                }
            }
        }
        while (!request.isDone()) {
            LockSupport.parkNanos(request, Math.clamp(request.deadline - System.nanoTime(), 1, longest));
            if (polls) {
                int ignored = engine.poller().help();
            }
            endIfOver(request);
        }
    }

    /** Returns false, at once, if others poll. */
    private boolean lead(PendingRequest request) {
        if (!engine.waiters().lead()) {
            return false;
        }
        try {
            look(request);
        } finally {
            engine.waiters().stepDown();
        }
        return true;
    }

    private void look(PendingRequest request) {
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
                endIfOver(request);
            }
        } while (!request.isDone() && waiting.pause(round++));
        if (round > 0) {
            waiting.over(round);
        }
    }

    private void follow(PendingRequest request) {
        long end = System.nanoTime() + FOLLOW_NANOS;
        engine.waiters().follow();
        try {
            yieldUntilDone(request);
            for (long left = FOLLOW_NANOS; left > 0 && !request.isDone(); left = end - System.nanoTime()) {
                LockSupport.parkNanos(request, left);
                endIfOver(request);
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
    private static void yieldUntilDone(PendingRequest request) {
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        SendScratch.ofThread().askForShortTurns();
        long now = System.nanoTime();
        long end = now + Math.min(YIELD_NANOS, request.deadline - now);
        while (!request.isDone() && System.nanoTime() - end < 0) {
            Thread.yield();
        }
    }

    private void endIfOver(PendingRequest request) {
        if (System.nanoTime() - request.deadline > 0) {
            if (engine.requests().forget(request)) {
                request.end(null, request.timeOver());
            }
        } else if (Thread.currentThread().isInterrupted() && engine.requests().forget(request)) {
            request.end(null, engine.interrupted(request.node, MessagingException.Reason.TIMEOUT, null));
        }
    }
}
