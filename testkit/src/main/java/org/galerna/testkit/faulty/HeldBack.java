package org.galerna.testkit.faulty;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;
import org.galerna.link.FrameHandler;
import org.jspecify.annotations.Nullable;

/** What has come and waits for its time, by peer. The polling thread's, but for {@link #add}. */
final class HeldBack {
    private static final int ALIGNMENT = 8;

    private final int rank;
    private final Random random;
    private final long longestNanos;
    private final Deque<Event>[] events; // by peer; guarded by this

    /**
     * Something to be told.
     *
     * @param due not before this time
     */
    private record Event(long due, Consumer<FrameHandler> told) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    HeldBack(int rank, int size, Faults faults) {
        this.rank = rank;
        this.random = new Random(faults.seed());
        this.longestNanos = faults.longestDelay().toNanos();
        this.events = new Deque[size];
        Arrays.setAll(events, peer -> new ArrayDeque());
    }

    /** Holds something of a peer back, behind all that it has been sent before. */
    synchronized void add(int peer, Consumer<FrameHandler> told) {
        // what a rank sends to itself crosses no network
        long delay = longestNanos == 0 || peer == rank ? 0 : (long) (random.nextDouble() * longestNanos);
        events[peer].add(new Event(System.nanoTime() + delay, told));
    }

    /** Holds a copy of a frame back. */
    void addFrame(int peer, MemorySegment memory, long offset, int length) {
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, length), ALIGNMENT);
        MemorySegment.copy(memory, offset, copy, 0, length);
        add(peer, handler -> handler.onFrame(peer, copy, 0, length));
    }

    /** Tells what is due, of each peer so much at most. Returns how much it was. */
    int tell(FrameHandler handler, int limit) {
        int told = 0;
        for (int peer = 0; peer < events.length; peer++) {
            Event next;
            for (int ofPeer = 0; ofPeer < limit && (next = due(peer)) != null; ofPeer++) {
                next.told.accept(handler);
                told++;
            }
        }
        return told;
    }

    private synchronized @Nullable Event due(int peer) {
        Event oldest = events[peer].peek();
        return oldest == null || oldest.due - System.nanoTime() > 0 ? null : events[peer].remove();
    }

    /** Nanoseconds until something is due, at most so many. */
    synchronized long untilNext(long most) {
        long now = System.nanoTime();
        long least = most;
        for (Deque<Event> each : events) {
            Event oldest = each.peek();
            if (oldest != null) {
                least = Math.min(least, Math.max(0, oldest.due - now));
            }
        }
        return least;
    }
}
