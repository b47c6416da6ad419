package org.galerna.device;

import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives that wait for their message. A message takes the oldest receive that matches it: the oldest of at most four
 * queue heads, one for each combination of wildcards. Guarded by the device's match lock.
 */
final class PostedQueue {
    private final MatchTable<ReceiveRequest> table = new MatchTable<>();
    private @Nullable ReceiveRequest only; // the common case: one blocking receive at a time
    private int inTable;
    private int wildcards;
    private long sequence;

    void add(ReceiveRequest request) {
        request.sequence = sequence++;
        if (only == null && inTable == 0) {
            only = request;
            return;
        }
        if (only != null) {
            enter(only);
            only = null;
        }
        enter(request);
    }

    private void enter(ReceiveRequest request) {
        table.add(request.node, request.wantedContext, request.wantedSource, request.wantedTag);
        inTable++;
        if (request.isWildcard()) {
            wildcards++;
        }
    }

    /** Removes and returns the receive that a message takes; null if none matches. */
    @Nullable
    ReceiveRequest match(int context, int source, int tag) {
        ReceiveRequest single = only;
        if (single != null) {
            if (single.accepts(context, source, tag)) {
                only = null;
                return single;
            }
            return null;
        }
        if (inTable == 0) {
            return null;
        }
        ReceiveRequest oldest = table.first(context, source, tag);
        if (wildcards > 0) {
            oldest = older(oldest, table.first(context, source, ANY_TAG));
            oldest = older(oldest, table.first(context, ANY_SOURCE, tag));
            oldest = older(oldest, table.first(context, ANY_SOURCE, ANY_TAG));
        }
        if (oldest != null) {
            leave(oldest);
        }
        return oldest;
    }

    private static @Nullable ReceiveRequest older(@Nullable ReceiveRequest one, @Nullable ReceiveRequest other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.sequence < other.sequence ? one : other;
    }

    private void leave(ReceiveRequest request) {
        table.remove(request.node);
        inTable--;
        if (request.isWildcard()) {
            wildcards--;
        }
    }

    /** Removes a receive; false if it is not posted (any more). */
    boolean remove(ReceiveRequest request) {
        if (only == request) {
            only = null;
            return true;
        }
        if (!request.node.isQueued()) {
            return false;
        }
        leave(request);
        return true;
    }

    /** The posted receives, in no particular order; slow. */
    List<ReceiveRequest> all() {
        List<ReceiveRequest> all = new ArrayList<>();
        if (only != null) {
            all.add(only);
        }
        table.forEach(all::add);
        return all;
    }
}
