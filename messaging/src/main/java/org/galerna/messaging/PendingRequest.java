package org.galerna.messaging;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A request whose response has not come. Either a thread waits for it, or it has a future. */
final class PendingRequest {
    final long id;
    final int node;

    /** As of {@link System#nanoTime}. */
    final long deadline;

    private final Duration limit;
    private final Class<?> expected;
    private final @Nullable Thread waiter;
    private final @Nullable CompletableFuture<Object> future;
    private volatile @Nullable Connection connection;

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
            @Nullable CompletableFuture<Object> future) {
        this.id = id;
        this.node = node;
        this.limit = limit;
        this.deadline = deadline;
        this.expected = expected;
        this.waiter = waiter;
        this.future = future;
    }

    /** It is about to be sent over this connection; null if it is not, after all. */
    void goesBy(@Nullable Connection way) {
        connection = way;
    }

    boolean wentBy(Connection way) {
        return connection == way;
    }

    boolean hasFuture() {
        return future != null;
    }

    boolean isDone() {
        return done;
    }

    boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Runs something when its future has ended, at once if it has already. */
    void whenEnded(Runnable then) {
        CompletableFuture<Object> told = future;
        if (told != null) {
            CompletableFuture<?> ignored = told.whenComplete((_, _) -> then.run());
        }
    }

    /** What it fails with when its time is over. */
    MessagingException timeOver() {
        return new MessagingException(
                MessagingException.Reason.TIMEOUT,
                connection == null
                        ? "no request could be sent to node " + node + " within " + TimeLimit.text(limit)
                        : "node " + node + " has not answered within " + TimeLimit.text(limit));
    }

    /** Ends it; to be called by whoever has taken it out of {@link PendingRequests}. Runs what depends on the future. */
    void end(@Nullable Object answer, @Nullable MessagingException error) {
        MessagingException wrong = error;
        if (wrong == null && !expected.isInstance(answer)) {
            wrong = new MessagingException(
                    MessagingException.Reason.REMOTE,
                    "node " + node + " has answered with a "
                            + (answer == null ? null : answer.getClass().getName()) + ", not with a "
                            + expected.getName());
        }
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

    /** The response of a request that is done. */
    Object result() {
        MessagingException error = failure;
        if (error != null) {
            // thrown by the waiting thread, so that the trace shows who has asked
            throw new MessagingException(error.reason(), String.valueOf(error.getMessage()), error);
        }
        Object answer = response;
        if (answer == null) {
            throw new IllegalStateException("not done yet");
        }
        return answer;
    }
}
