package org.galerna.messaging;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A request whose response has not come. Either a thread waits for it, or it has a future. */
final class PendingRequest {
    final long id;
    final Connection connection;
    private final @Nullable Thread waiter;
    private final @Nullable CompletableFuture<Object> future;

    // written before done (volatile), read after it
    private @Nullable Object response;
    private @Nullable MessagingException failure;
    private volatile boolean done;

    PendingRequest(
            long id, Connection connection, @Nullable Thread waiter, @Nullable CompletableFuture<Object> future) {
        this.id = id;
        this.connection = connection;
        this.waiter = waiter;
        this.future = future;
    }

    boolean hasFuture() {
        return future != null;
    }

    boolean isDone() {
        return done;
    }

    /** Ends it; to be called by whoever has taken it out of {@link PendingRequests}. Runs what depends on the future. */
    void end(@Nullable Object answer, @Nullable MessagingException error) {
        response = answer;
        failure = error;
        done = true;
        if (future != null) {
            if (error != null) {
                future.completeExceptionally(error);
            } else {
                future.complete(answer);
            }
        }
        LockSupport.unpark(waiter);
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
