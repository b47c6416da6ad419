package org.galerna.device.matching.engine;

import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.support.Membership;
import org.galerna.link.Link;
import org.galerna.memory.OwnerLock;

/** Takes receives and sends back. */
public final class Cancelling {
    private final Link link;
    private final Membership membership;
    private final Matching matching;
    private final PendingSends sends;
    private final OwnerLock matchLock;

    public Cancelling(Link link, Membership membership, Matching matching, PendingSends sends, OwnerLock matchLock) {
        this.link = link;
        this.membership = membership;
        this.matching = matching;
        this.sends = sends;
        this.matchLock = matchLock;
    }

    /** Cancels a receive unless a message has met it; true if that has succeeded. */
    public boolean cancel(ReceiveRequest request) {
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
    public void ask(SendRequest request) {
        matchLock.lock();
        try {
            if (!membership.isClosed()) {
                sends.askToCancel(request);
            }
        } finally {
            matchLock.unlock();
        }
        if (request.isDone()) {
            link.waiter().wakeUp(); // another thread may wait for it
        }
    }
}
