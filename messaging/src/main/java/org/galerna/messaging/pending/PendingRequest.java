package org.galerna.messaging.pending;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.counters.PeerCounters;
import org.galerna.messaging.events.NodeEvents;
import org.galerna.messaging.support.TimeLimit;
import org.jspecify.annotations.Nullable;

/** A request whose response has not come. Either a thread waits for it, or it has a future. */
public final class PendingRequest {
    private final long id;
    private final int node;
    private final long deadline;
    private final Duration limit;
    private final Class<?> expected;
    private final @Nullable Thread waiter;
    private final @Nullable CompletableFuture<Object> future;
    private final PeerCounters peer;
    private final NodeEvents events;
    private volatile @Nullable RequestRoute route;

    // written before done (volatile), read after it
    private @Nullable Object response;
    private @Nullable MessagingException failure;
    private volatile boolean done;

    PendingRequest(
            long id,
            int node,
            Duration limit,
            long deadline,
            Class<?> expected,
            @Nullable Thread waiter,
            @Nullable CompletableFuture<Object> future,
            PeerCounters peer,
            NodeEvents events) {
        this.id = id;
        this.node = node;
        this.limit = limit;
        this.deadline = deadline;
        this.expected = expected;
        this.waiter = waiter;
        this.future = future;
        this.peer = peer;
        this.events = events;
    }

    /** Its number. */
    public long id() {
        return id;
    }

    /** The node that is asked. */
    public int node() {
        return node;
    }

    /** When its time is over, as of {@link System#nanoTime}. */
    public long deadline() {
        return deadline;
    }

    /** It is about to be sent over this connection; null if it is not, after all. */
    public void goesBy(@Nullable RequestRoute way) {
        route = way;
    }

    public boolean wentBy(RequestRoute way) {
        return route == way;
    }

    public boolean hasFuture() {
        return future != null;
    }

    public boolean isDone() {
        return done;
    }

    public boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Runs something when its future has ended, at once if it has already. */
    public void whenEnded(Runnable then) {
        CompletableFuture<Object> told = future;
        if (told != null) {
            CompletableFuture<?> ignored = told.whenComplete((_, _) -> then.run());
        }
    }

    /** What it fails with when its time is over. */
    public MessagingException timeOver() {
        return new MessagingException(
                MessagingException.Reason.TIMEOUT,
                route == null
                        ? "no request could be sent to node " + node + " within " + TimeLimit.text(limit)
                        : "node " + node + " has not answered within " + TimeLimit.text(limit));
    }

    /** Ends it; to be called by the thread that has taken it out of {@link PendingRequests}. Runs what depends on the future. */
    public void end(@Nullable Object answer, @Nullable MessagingException error) {
        MessagingException wrong = error;
        if (wrong == null && !expected.isInstance(answer)) {
            wrong = new MessagingException(
                    MessagingException.Reason.REMOTE,
                    "node " + node + " has answered with a "
                            + (answer == null ? null : answer.getClass().getName()) + ", not with a "
                            + expected.getName());
        }
        long nanos = elapsed();
        if (wrong == null) {
            peer.countAnswer(nanos);
        } else {
            peer.countFailure(wrong.reason());
        }
        events.requestEnded(node, nanos, wrong);
        response = answer;
        failure = wrong;
        done = true;
        CompletableFuture<Object> told = future;
        if (told == null) {
            LockSupport.unpark(waiter);
        } else if (wrong != null) {
            told.completeExceptionally(wrong);
        } else {
            told.complete(answer);
        }
    }

    /** It has failed before anything could be sent. */
    public void countFailure(MessagingException failed) {
        peer.countFailure(failed.reason());
        events.requestEnded(node, elapsed(), failed);
    }

    private long elapsed() {
        return System.nanoTime() - (deadline - TimeLimit.nanos(limit));
    }

    /** The response of a request that is done. */
    public Object result() {
        MessagingException error = failure;
        if (error != null) {
            // thrown by the waiting thread, so that the trace shows which code has asked
            throw new MessagingException(error.reason(), String.valueOf(error.getMessage()), error);
        }
        Object answer = response;
        if (answer == null) {
            throw new IllegalStateException("not done yet");
        }
        return answer;
    }
}
