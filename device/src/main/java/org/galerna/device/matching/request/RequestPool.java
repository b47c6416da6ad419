package org.galerna.device.matching.request;

import org.jspecify.annotations.Nullable;

/**
 * Receive requests that are used again and again. They form a circle, and stay in it while they are used: whoever
 * releases one only marks it, and it is found when its turn comes. So a release is a store and takes no lock. Guarded by
 * the device's match lock.
 *
 * <p>Argument: the mark is a release store, the last thing that a request's old owner does with it; it is read with
 * acquire under the lock, before the request gets a new owner.
 */
public final class RequestPool {
    /** Requests in the circle at most; more than that are garbage once released. */
    public static final int MOST = 4096;

    private final RequestOwner owner;
    private @Nullable ReceiveRequest last;
    private int size;

    public RequestPool(RequestOwner owner) {
        this.owner = owner;
    }

    /** A request that nobody uses: the next of the circle if it has been released, or else a new one. */
    public ReceiveRequest take() {
        ReceiveRequest before = last;
        if (before != null) {
            ReceiveRequest next = before.nextInPool;
            if (next.isReleased()) {
                last = next;
                return next;
            }
        }
        return add(before);
    }

    /** A new request, behind the one that is still used, so that the next look is at the one after that. */
    private ReceiveRequest add(@Nullable ReceiveRequest before) {
        ReceiveRequest added = new ReceiveRequest(owner);
        last = added;
        if (before == null) {
            size = 1;
            return added; // a circle of one
        }
        ReceiveRequest used = before.nextInPool;
        added.nextInPool = used.nextInPool;
        if (size < MOST) {
            used.nextInPool = added;
            size++;
        } else {
            before.nextInPool = added; // in its place
        }
        return added;
    }

    /** Requests in the circle. */
    public int size() {
        return size;
    }
}
