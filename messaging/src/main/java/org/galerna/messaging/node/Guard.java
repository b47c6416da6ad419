package org.galerna.messaging.node;

import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.connection.Poller;
import org.galerna.messaging.peers.Peers;
import org.galerna.messaging.pending.PendingRequest;

/**
 * Looks after a node now and then, on a thread of its own. It polls if nobody has since its last look: all handlers may be in
 * receivers that wait for something. It ends the requests with futures whose time is over, and reads the coarse clock.
 */
final class Guard implements Runnable {
    private static final long TICK_NANOS = 1_000_000;
    private static final long ASLEEP_TICK_NANOS = 50_000_000;
    private static final int POLL_LIMIT = 256;

    private final NodeParts node;
    private final Poller poller;
    private final Crew crew;
    private final Peers peers;
    private final Circles circles;

    Guard(NodeParts node, Crew crew, Peers peers) {
        this.node = node;
        this.poller = node.poller();
        this.crew = crew;
        this.peers = peers;
        this.circles = new Circles(node, crew);
    }

    @Override
    public void run() {
        long seen = -1;
        while (!node.life().isEnded()) {
            node.clock().tick();
            crew.check();
            boolean asleep = node.wakeup().hasSleepers();
            // what comes wakes handlers that sleep; what was left for the polling thread does not
            if (node.completions().areDue() || (poller.polls() == seen && (!asleep || poller.needsTending()))) {
                pollAll();
            }
            circles.check();
            node.failures().tidy();
            if (poller.connections().length > node.config().connections()) {
                peers.keepLimit(null);
            }
            seen = poller.polls();
            node.completions().failElsewhere(node.requests().takeOverdue(System.nanoTime()), PendingRequest::timeOver);
            LockSupport.parkNanos(this, nap(asleep ? ASLEEP_TICK_NANOS : TICK_NANOS));
        }
    }

    private void pollAll() {
        while (poller.poll(POLL_LIMIT) > 0 && !node.life().isEnded()) {
            node.clock().tick();
        }
        poller.confirm();
        if (!node.dispatcher().isEmpty()) {
            node.wakeup().ring();
        }
    }

    private long nap(long tick) {
        PendingRequest first = node.requests().first();
        return first == null ? tick : Math.clamp(first.deadline() - System.nanoTime(), 1, tick);
    }
}
