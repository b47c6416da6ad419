package org.galerna.messaging.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests of a connection whose receivers have returned, and that are to be answered later. Their messages do not count in the
 * window any more, so there is a limit to their number. One whose time is over does not count: nobody waits for its answer. Any
 * thread.
 *
 * <p>Argument that an answered request does not stay: who adds it puts it here, and then looks whether it is answered; who answers it
 * says so, and then looks whether anything is here. All of these are volatile accesses, so that one of both finds the other.
 */
public final class LateRequests {
    private static final long SWEEP_NANOS = 10_000_000;

    private final int most;
    private final Set<RequestResponder> requests = ConcurrentHashMap.newKeySet();
    private volatile long sweptAt = System.nanoTime() - SWEEP_NANOS;

    /** For so many. */
    public LateRequests(int most) {
        this.most = most;
    }

    /** How many there may be. */
    int most() {
        return most;
    }

    /** Whether there are as many as there may be. */
    boolean isFull() {
        return requests.size() >= most && !sweep();
    }

    /** Returns whether there is room now. */
    private boolean sweep() {
        long now = System.nanoTime();
        if (now - sweptAt < SWEEP_NANOS) {
            return false;
        }
        sweptAt = now;
        requests.removeIf(each -> each.isOver(now));
        return requests.size() < most;
    }

    /** A receiver has returned without an answer, and means to give one. */
    void add(RequestResponder request) {
        requests.add(request);
        if (request.isAnswered()) {
            requests.remove(request);
        }
    }

    /** It is answered. */
    void remove(RequestResponder request) {
        if (!requests.isEmpty()) {
            requests.remove(request);
        }
    }
}
