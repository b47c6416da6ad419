package org.galerna.messaging.pending;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.events.NodeEvents;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a node that wait for their responses. Their numbers have 64 bits and are never used again, and a
 * response counts only if it comes over the connection that the request went by, which is that of one start of the other
 * node: nothing that is late can be taken for something else. Any thread.
 *
 * <p>Threads that wait look at the time themselves. For futures the guard does, which finds them in the order of their
 * deadlines; a request that has ended leaves nothing behind, however long its limit was.
 */
public final class PendingRequests {
    private final Map<Long, PendingRequest> requests = new ConcurrentHashMap<>();
    private final NavigableSet<PendingRequest> timed = new ConcurrentSkipListSet<>(PendingRequests::compare);
    private final AtomicLong last;
    private final NodeCounters counters;
    private final NodeEvents events;

    /**
     * Nobody has asked for anything yet.
     *
     * @param last number before that of the first request
     * @param counters of the node
     * @param events of the node
     */
    public PendingRequests(long last, NodeCounters counters, NodeEvents events) {
        this.last = new AtomicLong(last);
        this.counters = counters;
        this.events = events;
    }

    /** Times of the clock may overflow; those that are compared here are less than 2⁶³ apart. */
    private static int compare(PendingRequest one, PendingRequest other) {
        int byTime = Long.compare(one.deadline() - other.deadline(), 0);
        return byTime != 0 ? byTime : Long.compare(one.id() - other.id(), 0);
    }

    /** Begins a request, before it is sent. */
    public PendingRequest begin(
            int node,
            Duration limit,
            long deadline,
            Class<?> expected,
            @Nullable Thread waiter,
            @Nullable CompletableFuture<Object> future) {
        PendingRequest request = new PendingRequest(
                last.incrementAndGet(), node, limit, deadline, expected, waiter, future, counters.peer(node), events);
        requests.put(request.id(), request);
        if (future != null) { // last: a thread that finds it here may end it
            timed.add(request);
        }
        return request;
    }

    /** Takes the request that a response is for; null if nobody waits for it any more. */
    public @Nullable PendingRequest take(long id, RequestRoute route) {
        PendingRequest request = requests.get(id);
        return request != null && request.wentBy(route) && forget(request) ? request : null;
    }

    /** Whether the request was still waited for, and is not any more. */
    public boolean forget(PendingRequest request) {
        if (!requests.remove(request.id(), request)) {
            return false;
        }
        if (request.hasFuture()) {
            timed.remove(request);
        }
        return true;
    }

    /** Takes everything that was asked over a connection. */
    public List<PendingRequest> takeAll(RequestRoute route) {
        List<PendingRequest> taken = new ArrayList<>();
        for (PendingRequest each : requests.values()) {
            if (each.wentBy(route) && forget(each)) {
                taken.add(each);
            }
        }
        return taken;
    }

    /** Takes those with futures whose time is over. */
    public List<PendingRequest> takeOverdue(long now) {
        List<PendingRequest> taken = List.of();
        PendingRequest first;
        while ((first = first()) != null && now - first.deadline() >= 0) {
            boolean waited = forget(first);
            timed.remove(first);
            if (waited) {
                taken = taken.isEmpty() ? new ArrayList<>() : taken;
                taken.add(first);
            }
        }
        return taken;
    }

    /** The one with a future whose time is over first. */
    public @Nullable PendingRequest first() {
        if (timed.isEmpty()) {
            return null;
        }
        try {
            return timed.first();
        } catch (NoSuchElementException goneMeanwhile) {
            return null;
        }
    }

    public boolean hasAny(RequestRoute route) {
        return requests.values().stream().anyMatch(each -> each.wentBy(route));
    }

    public int size() {
        return requests.size();
    }
}
