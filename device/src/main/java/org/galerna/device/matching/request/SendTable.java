package org.galerna.device.matching.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.galerna.device.support.Membership;
import org.jspecify.annotations.Nullable;

/** Sends that wait for their receiver's answer, by number. Guarded by the device's match lock. */
public final class SendTable {
    private final List<@Nullable SendRequest> entries = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();

    /** Enters a send and gives it its number. */
    public void add(SendRequest request) {
        if (free.isEmpty()) {
            request.id = entries.size();
            entries.add(request);
        } else {
            int index = free.removeLast();
            request.id = index;
            entries.set(index, request);
        }
    }

    /** Takes a send out; null if there is none of that number. */
    @Nullable
    public SendRequest remove(long id) {
        if (id < 0 || id >= entries.size()) {
            return null;
        }
        SendRequest request = entries.set((int) id, null);
        if (request != null) {
            free.add((int) id);
        }
        return request;
    }

    /** Whether a send waits for its answer. */
    public boolean has(SendRequest request) {
        return request.id < entries.size() && entries.get((int) request.id) == request;
    }

    /** The sends whose messages lie in the memory of this rank. */
    public List<SendRequest> announced() {
        return entries.stream()
                .filter(Objects::nonNull)
                .filter(request -> request.isAnnounced())
                .toList();
    }

    /** Fails the sends that wait for an answer from a peer that is gone. */
    public void failTo(int peer, Membership membership) {
        List<SendRequest> concerned = entries.stream()
                .filter(Objects::nonNull)
                .filter(request -> request.peer == peer)
                .toList();
        for (SendRequest request : concerned) {
            remove(request.id);
            if (request.isDone()) {
                continue;
            }
            if (request.isHastened()) {
                request.endCancelled();
            } else {
                request.end(membership.lost(request.operation(), peer));
            }
        }
    }
}
