package org.galerna.device.matching.queue;

import static org.galerna.device.Device.ANY_SOURCE;

import java.util.ArrayList;
import java.util.List;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.request.ReceiveRequest;
import org.jspecify.annotations.Nullable;

/**
 * Receives that wait for their message. A message takes the oldest receive that matches it: the oldest of at most four
 * queue heads, one for each combination of wildcards. Guarded by the device's match lock.
 */
public final class PostedQueue {
    private final QueueTable<Run> runs = new QueueTable<>(Run::new);
    private int wildcards;
    private long sequence;

    public void add(ReceiveRequest request) {
        request.sequence = sequence++;
        if (request.isWildcard()) {
            wildcards++;
        }
        runs.findOrMake(request.wanted, request.wantedSource).add(request);
    }

    /** Removes and returns the receive that a message takes; null if none matches. */
    @Nullable
    public ReceiveRequest match(long envelope, int source) {
        Run run = runs.find(envelope, source);
        if (wildcards == 0) {
            return run == null ? null : run.removeFirst();
        }
        Run oldest = older(run, runs.find(Envelope.withAnyTag(envelope), source));
        oldest = older(oldest, runs.find(envelope, ANY_SOURCE));
        oldest = older(oldest, runs.find(Envelope.withAnyTag(envelope), ANY_SOURCE));
        ReceiveRequest request = oldest == null ? null : oldest.removeFirst();
        if (request != null && request.isWildcard()) {
            wildcards--;
        }
        return request;
    }

    /** The receives that messages of an envelope take one after the other; null if there are none, or wildcards may come first. */
    @Nullable
    public Run sole(long envelope, int source) {
        return wildcards == 0 ? runs.find(envelope, source) : null;
    }

    /** The one with the older first receive. */
    private static @Nullable Run older(@Nullable Run one, @Nullable Run other) {
        ReceiveRequest ofOther = other == null ? null : other.first();
        if (ofOther == null) {
            return one;
        }
        ReceiveRequest ofOne = one == null ? null : one.first();
        return ofOne != null && ofOne.sequence < ofOther.sequence ? one : other;
    }

    /** Removes a receive; false if it is not posted (any more). */
    public boolean remove(ReceiveRequest request) {
        Run run = runs.find(request.wanted, request.wantedSource);
        if (run == null || !run.remove(request)) {
            return false;
        }
        if (request.isWildcard()) {
            wildcards--;
        }
        return true;
    }

    /** Whether the receive waits here for its message. */
    public boolean contains(ReceiveRequest request) {
        Run run = runs.find(request.wanted, request.wantedSource);
        return run != null && run.contains(request);
    }

    /** The posted receives, in no particular order; slow. */
    public List<ReceiveRequest> all() {
        List<ReceiveRequest> all = new ArrayList<>();
        runs.forEach(run -> run.addTo(all));
        return all;
    }

    /**
     * Receives of one key in the order in which they were posted: an array used as a ring, because the links of a list
     * cost several stores for every message. One that is withdrawn leaves a hole, which goes away when the ring is full
     * or the hole is the first.
     */
    public static final class Run extends QueueTable.Keyed<Run> {
        private static final int INITIAL_CAPACITY = 4;

        private @Nullable ReceiveRequest[] ring = new ReceiveRequest[INITIAL_CAPACITY];
        private int head; // free-running, as tail
        private int tail;

        public void add(ReceiveRequest request) {
            if (tail - head == ring.length) {
                makeRoom();
            }
            append(request);
        }

        private void append(ReceiveRequest request) {
            request.place = tail;
            ring[tail & (ring.length - 1)] = request;
            tail++;
        }

        /** Closes the holes, and doubles the ring unless that has made it half empty. */
        private void makeRoom() {
            List<ReceiveRequest> kept = new ArrayList<>();
            addTo(kept);
            ring = new ReceiveRequest[kept.size() * 2 > ring.length ? ring.length * 2 : ring.length];
            head = tail;
            kept.forEach(this::append);
        }

        @Nullable
        ReceiveRequest first() {
            while (head != tail) {
                ReceiveRequest request = ring[head & (ring.length - 1)];
                if (request != null) {
                    return request;
                }
                head++;
            }
            return null;
        }

        @Nullable
        public ReceiveRequest removeFirst() {
            ReceiveRequest request = first();
            if (request != null) {
                head++;
            }
            return request;
        }

        public boolean contains(ReceiveRequest request) {
            int place = request.place;
            boolean within = place - head >= 0 && place - tail < 0;
            return within && ring[place & (ring.length - 1)] == request;
        }

        public boolean remove(ReceiveRequest request) {
            if (!contains(request)) {
                return false;
            }
            ring[request.place & (ring.length - 1)] = null;
            return true;
        }

        @Override
        boolean isEmpty() {
            return first() == null;
        }

        void addTo(List<ReceiveRequest> all) {
            for (int place = head; place != tail; place++) {
                ReceiveRequest request = ring[place & (ring.length - 1)];
                if (request != null) {
                    all.add(request);
                }
            }
        }
    }
}
