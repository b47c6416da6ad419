package org.galerna.messaging.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.ResponseWaiters;
import org.jspecify.annotations.Nullable;

/**
 * What waits for handlers. Parcels of one node that are ordered are given out one at a time, in the order in which they
 * came; others as they come. Any thread.
 */
public final class Dispatcher {
    /**
     * Ordered parcels of one other node, over one connection after the other. Guarded by the dispatcher.
     *
     * <p>Argument that all of an earlier connection come before those of a later one. One thread at a time polls, and it
     * alone adds parcels. Before a connection is added to those that are polled, the one before is marked as lost
     * ({@code Peers}). So a poll that finds the later one in its list finds the mark at the earlier one, and reads nothing
     * more of it ({@code Poller}). What it has read before lies here already.
     */
    public static final class Lane {
        private final Deque<WorkItem> waiting = new ArrayDeque<>();
        private boolean taken;
    }

    /** As many as the pool keeps. */
    private static final int MOST_SPACIOUS = 256;

    private static final int CONCURRENT_BATCH = 16;

    private final int concurrentBatch;
    private final ResponseWaiters waiters;
    private final HandlerWakeup wakeup;
    private final Deque<WorkItem> ready = new ArrayDeque<>(); // guarded by this
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>(); // of each node that there was a connection to
    private volatile int size;

    /** Nothing has come yet for so many handlers. */
    public Dispatcher(int handlers, ResponseWaiters waiters, HandlerWakeup wakeup) {
        this.concurrentBatch = handlers == 1 ? Integer.MAX_VALUE : CONCURRENT_BATCH;
        this.waiters = waiters;
        this.wakeup = wakeup;
    }

    /** That of another node, or of this one. */
    public Lane lane(int node) {
        return lanes.computeIfAbsent(node, _ -> new Lane());
    }

    public void add(WorkItem item) {
        boolean several;
        synchronized (this) {
            Lane lane = item.origin().lane();
            if (item.isOrdered() && lane.taken) {
                if (!joins(lane.waiting.peekLast(), item, Integer.MAX_VALUE)) {
                    lane.waiting.add(item);
                }
                return;
            }
            lane.taken |= item.isOrdered();
            if (item.isOrdered() || !joins(ready.peekLast(), item, concurrentBatch)) {
                compactLast();
                ready.add(item);
            }
            size = ready.size();
            several = ready.size() > 1;
        }
        waiters.noteWork();
        if (several || !wakeup.isHandler()) {
            wakeup.ring(); // a handler that polls handles the one itself
        }
    }

    /**
     * Adds the frames of a parcel to the last one that waits, if they fit: a batch for each message would take far more
     * memory than the window says, when messages come one by one and their receiver is slow.
     */
    private static boolean joins(@Nullable WorkItem last, WorkItem item, int mostFrames) {
        if (last == null
                || last.origin() != item.origin()
                || last.isOrdered() != item.isOrdered()
                || !(last instanceof Batch into && item instanceof Batch from)
                || from.used() > into.room()
                || into.frames() + from.frames() > mostFrames) {
            return false;
        }
        into.addFrames(from);
        from.discard();
        return true;
    }

    /** Number of messages that wait. */
    public synchronized long messages() {
        long messages = 0;
        for (WorkItem each : ready) {
            messages += each.messages();
        }
        for (Lane each : lanes.values()) {
            for (WorkItem waiting : each.waiting) {
                messages += waiting.messages();
            }
        }
        return messages;
    }

    /** Nodes whose messages wait for any handler. */
    public synchronized Set<Integer> waiting() {
        Set<Integer> nodes = new TreeSet<>();
        ready.forEach(each -> nodes.add(each.origin().peer()));
        return nodes;
    }

    /** Whether ordered messages of a node wait for the one before, which a handler has. */
    public synchronized boolean isHeldUp(int node) {
        Lane lane = lanes.get(node);
        return lane != null && lane.taken && !lane.waiting.isEmpty();
    }

    /**
     * Where many wait, each keeps no more memory than it needs: messages that come one by one from several nodes join none,
     * and would take a batch each.
     */
    private void compactLast() {
        if (ready.size() >= MOST_SPACIOUS && ready.peekLast() instanceof Batch last && last.isWasteful()) {
            WorkItem ignored = ready.pollLast();
            ready.add(last.compact());
            last.discard();
        }
    }

    /** Messages that may be handled concurrently and go to one handler together, at most. */
    public int concurrentBatch() {
        return concurrentBatch;
    }

    /** Whether nothing waits for a handler. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The next one for a handler, which calls {@link #done} afterwards; null if there is none. */
    public @Nullable WorkItem take() {
        if (size == 0) {
            return null;
        }
        synchronized (this) {
            WorkItem item = ready.poll();
            size = ready.size();
            return item;
        }
    }

    public void done(WorkItem item) {
        if (!item.isOrdered()) {
            return;
        }
        synchronized (this) {
            Lane lane = item.origin().lane();
            WorkItem next = lane.waiting.poll();
            if (next == null) {
                lane.taken = false;
            } else {
                ready.add(next);
                size = ready.size();
            }
        }
    }
}
