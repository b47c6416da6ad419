package org.galerna.messaging;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a node that wait for their responses. Their numbers have 64 bits and are never used again, and a
 * response counts only if it comes over the connection that the request went by, which is that of one start of the other
 * node: nothing that is late can be taken for something else. Any thread.
 */
final class PendingRequests {
    private final Map<Long, PendingRequest> requests = new ConcurrentHashMap<>();
    private final AtomicLong last;

    /**
     * Nobody has asked for anything yet.
     *
     * @param last number before that of the first request
     */
    PendingRequests(long last) {
        this.last = new AtomicLong(last);
    }

    /** Begins a request, before it is sent. */
    PendingRequest begin(Connection connection, @Nullable Thread waiter, @Nullable CompletableFuture<Object> future) {
        PendingRequest request = new PendingRequest(last.incrementAndGet(), connection, waiter, future);
        requests.put(request.id, request);
        return request;
    }

    /** Takes the request that a response is for; null if nobody waits for it any more. */
    @Nullable
    PendingRequest take(long id, Connection connection) {
        PendingRequest request = requests.get(id);
        return request != null && request.connection == connection && requests.remove(id, request) ? request : null;
    }

    /** Whether the request was still waited for, and is not any more. */
    boolean forget(PendingRequest request) {
        return requests.remove(request.id, request);
    }

    /** Fails everything that was asked over a connection. */
    void fail(Connection connection, MessagingException failure) {
        for (PendingRequest each : requests.values()) {
            if (each.connection == connection && forget(each)) {
                each.end(null, failure);
            }
        }
    }

    boolean hasAny(Connection connection) {
        return requests.values().stream().anyMatch(each -> each.connection == connection);
    }

    int size() {
        return requests.size();
    }
}
