package org.galerna.messaging;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What waits for handlers. Parcels of one node that are ordered are given out one at a time, in the order in which they
 * came; others as they come. Any thread.
 */
final class Dispatcher {
    /**
     * Ordered parcels of one other node, over one connection after the other. Guarded by the dispatcher.
     *
     * <p>Argument that all of an earlier connection come before those of a later one. One thread at a time polls, and it
     * alone adds parcels. Before a connection is added to those that are polled, the one before is marked as lost
     * ({@link Peers}). So a poll that finds the later one in its list finds the mark at the earlier one, and reads nothing
     * more of it ({@link Poller}). What it has read before lies here already.
     */
    static final class Lane {
        private final Deque<Parcel> waiting = new ArrayDeque<>();
        private boolean taken;
    }

    /** As many as the pool keeps. */
    private static final int MOST_SPACIOUS = 256;

    private final Engine engine;
    private final Deque<Parcel> ready = new ArrayDeque<>(); // guarded by this
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>(); // of each node that there was a connection to
    private volatile int size;

    Dispatcher(Engine engine) {
        this.engine = engine;
    }

    /** That of another node, or of this one. */
    Lane lane(int node) {
        return lanes.computeIfAbsent(node, _ -> new Lane());
    }

    void add(Parcel parcel) {
        boolean several;
        synchronized (this) {
            Lane lane = parcel.connection().lane();
            if (parcel.isOrdered() && lane.taken) {
                if (!joins(lane.waiting.peekLast(), parcel, Integer.MAX_VALUE)) {
                    lane.waiting.add(parcel);
                }
                return;
            }
            lane.taken |= parcel.isOrdered();
            if (parcel.isOrdered() || !joins(ready.peekLast(), parcel, engine.concurrentBatch())) {
                compactLast();
                ready.add(parcel);
            }
            size = ready.size();
            several = ready.size() > 1;
        }
        engine.waiters().noteWork();
        if (several || !engine.isHandler(Thread.currentThread())) {
            engine.ring(); // who polls handles one himself, if he is a handler
        }
    }

    /**
     * Adds the frames of a parcel to the last one that waits, if they fit: a batch for each message would take far more
     * memory than the window says, when messages come one by one and their receiver is slow.
     */
    private static boolean joins(@Nullable Parcel last, Parcel parcel, int mostFrames) {
        if (last == null
                || last.connection() != parcel.connection()
                || last.isOrdered() != parcel.isOrdered()
                || !(last instanceof Batch into && parcel instanceof Batch from)
                || from.used() > into.room()
                || into.frames() + from.frames() > mostFrames) {
            return false;
        }
        into.addFrames(from);
        from.discard();
        return true;
    }

    /** Number of messages that wait. */
    synchronized long messages() {
        long messages = 0;
        for (Parcel each : ready) {
            messages += each.messages();
        }
        for (Lane each : lanes.values()) {
            for (Parcel waiting : each.waiting) {
                messages += waiting.messages();
            }
        }
        return messages;
    }

    /**
     * Where many wait, each keeps no more memory than it needs: messages that come one by one from several nodes join none,
     * and would take a batch each.
     */
    private void compactLast() {
        if (ready.size() >= MOST_SPACIOUS && ready.peekLast() instanceof Batch last && last.isWasteful()) {
            Parcel ignored = ready.pollLast();
            ready.add(last.compact());
            last.discard();
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The next one for a handler, which calls {@link #done} afterwards; null if there is none. */
    @Nullable
    Parcel take() {
        if (size == 0) {
            return null;
        }
        synchronized (this) {
            Parcel parcel = ready.poll();
            size = ready.size();
            return parcel;
        }
    }

    void done(Parcel parcel) {
        if (!parcel.isOrdered()) {
            return;
        }
        synchronized (this) {
            Lane lane = parcel.connection().lane();
            Parcel next = lane.waiting.poll();
            if (next == null) {
                lane.taken = false;
            } else {
                ready.add(next);
                size = ready.size();
            }
        }
    }
}
