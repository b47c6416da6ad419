package org.galerna.device.matching;

import org.galerna.device.support.Membership;
import org.galerna.link.Link;
import org.galerna.memory.OwnerLock;

/** Takes receives and sends back. */
final class Cancelling {
    private final Link link;
    private final Membership membership;
    private final Matching matching;
    private final OwnerLock matchLock;

    Cancelling(Link link, Membership membership, Matching matching, OwnerLock matchLock) {
        this.link = link;
        this.membership = membership;
        this.matching = matching;
        this.matchLock = matchLock;
    }

    /** Cancels a receive unless a message has met it; true if that has succeeded. */
    boolean cancel(ReceiveRequest request) {
        matchLock.lock();
        try {
            if (matching.withdraw(request)) {
                request.completeCancelled();
            } else if (!request.isDone()) {
                request.hasten(); // it is matched
            }
        } finally {
            matchLock.unlock();
        }
        link.waiter().wakeUp(); // another thread may wait for it
        return request.isCancelled();
    }

    /** Asks the receiver of a message to give it back; the answer comes later. */
    void ask(SendRequest request) {
        matchLock.lock();
        try {
            if (!membership.isClosed()) {
                matching.askToCancel(request);
            }
        } finally {
            matchLock.unlock();
        }
        if (request.isDone()) {
            link.waiter().wakeUp(); // another thread may wait for it
        }
    }
}
