package org.galerna.collectives.team;

import java.util.Arrays;
import java.util.Objects;
import org.galerna.device.Request;
import org.jspecify.annotations.Nullable;

/** The sends and receives that a team has started and not yet awaited, in order. */
final class Transfers {
    private static final int FIRST_CAPACITY = 16;

    /** Requests. The array is no {@code Request[]}: compiled code that stores into an array of an interface is discarded several times. */
    private @Nullable Object[] requests = new @Nullable Object[FIRST_CAPACITY];

    private long[] lengths = new long[FIRST_CAPACITY];
    private int[] peers = new int[FIRST_CAPACITY];
    private int start;
    private int end;

    /**
     * Adds one that has been started.
     *
     * @param length its bytes, or {@link Team#ANY_LENGTH}
     * @param peer rank in the team
     */
    void add(Request request, long length, int peer) {
        if (end == requests.length) {
            int grown = 2 * end;
            requests = Arrays.copyOf(requests, grown);
            lengths = Arrays.copyOf(lengths, grown);
            peers = Arrays.copyOf(peers, grown);
        }
        requests[end] = request;
        lengths[end] = length;
        peers[end] = peer;
        end++;
    }

    boolean isEmpty() {
        return start == end;
    }

    /** The one that was started first. */
    Request first() {
        return (Request) Objects.requireNonNull(requests[start], "nothing has been started");
    }

    long firstLength() {
        return lengths[start];
    }

    int firstPeer() {
        return peers[start];
    }

    void removeFirst() {
        requests[start] = null;
        start++;
        if (start == end) {
            start = 0;
            end = 0;
        }
    }

    /** Takes back what can be taken back, and forgets the rest. */
    void withdraw() {
        for (; start < end; start++) {
            Object each = requests[start];
            requests[start] = null;
            if (each instanceof Request request && (request.isDone() || request.cancel())) {
                request.release();
            }
        }
        start = 0;
        end = 0;
    }
}
