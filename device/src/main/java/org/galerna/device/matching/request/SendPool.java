package org.galerna.device.matching.request;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Send requests that have succeeded and been released, to be used again. May be used by any thread.
 *
 * <p>Argument: nobody else reaches a request that has succeeded. The table of sends has let go of it; a message that was
 * sent from a backlog leaves it under the lock that whoever puts the request into a backlog again has to take.
 */
public final class SendPool {
    /** Requests that are kept at most. */
    private static final int MOST = 256;

    private final RequestOwner owner;
    private final Deque<SendRequest> free = new ArrayDeque<>();

    public SendPool(RequestOwner owner) {
        this.owner = owner;
    }

    public SendRequest take() {
        SendRequest kept = takeKept();
        return kept != null ? kept : new SendRequest(owner, this);
    }

    private synchronized @Nullable SendRequest takeKept() {
        return free.pollLast();
    }

    synchronized void give(SendRequest request) {
        if (free.size() < MOST) {
            free.addLast(request);
        }
    }
}
