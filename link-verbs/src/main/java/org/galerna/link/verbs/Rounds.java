package org.galerna.link.verbs;

import org.galerna.link.FrameHandler;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** Looks for frames, goes on with what is under way, and tells of peers that are gone: one thread at a time. */
final class Rounds {
    private final Connections connections;
    private final CompletionPoller completions;
    private final Transfers transfers;
    private final Membership membership;
    private final Departures departures;
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean closed;

    Rounds(
            Connections connections,
            CompletionPoller completions,
            Transfers transfers,
            Membership membership,
            Departures departures) {
        this.connections = connections;
        this.completions = completions;
        this.transfers = transfers;
        this.membership = membership;
        this.departures = departures;
    }

    /** What this rank sends to itself is to be looked for, too. */
    void add(Loopback own) {
        loopback = own;
    }

    /** Whether there are no more rounds. */
    boolean isClosed() {
        return closed;
    }

    /** Looks for frames and hands them over; their number. */
    int poll(FrameHandler handler, int limit) {
        if (!enter()) {
            return 0;
        }
        try {
            return closed ? 0 : look(handler, limit);
        } finally {
            leave();
        }
    }

    /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
    void advanceTransfers() {
        if (enter()) {
            try {
                if (!closed) {
                    transfers.progress();
                }
            } finally {
                leave();
            }
        }
    }

    /** False if another thread polls, or this one does already. */
    private boolean enter() {
        if (inPoll == Thread.currentThread() || !polling.tryLock()) {
            return false;
        }
        inPoll = Thread.currentThread();
        return true;
    }

    private void leave() {
        inPoll = null;
        polling.unlock();
    }

    private int look(FrameHandler handler, int limit) {
        Loopback own = loopback;
        int handled = own == null ? 0 : own.poll(handler, limit);
        completions.take();
        long found = completions.taken(); // by this thread or another
        if (found != served || unfinished) {
            served = found;
            handled += serve(handler, limit);
        }
        transfers.progress();
        return membership.pending.get() > 0 ? handled + departures.report(handler) : handled;
    }

    /** Goes through all connections, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        for (Connection each : connections.all()) {
            handled += each.deliver(handler, transfers, limit);
            each.sends().giveCredits();
            if (each.sends().isBlocked()) {
                each.sends().flush();
            }
            more |= each.isUnfinished();
        }
        unfinished = more;
        return handled;
    }

    /** Sends what was left behind for want of credit, if nobody polls; on the manager's thread. True if that was something. */
    boolean sendLeftBehind() {
        long looks = completions.looks();
        boolean sent = false;
        if (looks == ticked && connections.anyBlocked()) { // otherwise somebody does it who knows better when
            completions.take();
            looks = completions.looks();
            for (Connection each : connections.all()) {
                sent |= each.sends().isBlocked() && each.sends().flush();
            }
        }
        ticked = looks;
        return sent;
    }

    /** Ends everything. */
    void close(String reason) {
        polling.lock();
        try {
            completions.close(() -> {
                closed = true;
                for (Connection each : connections.all()) {
                    each.destroy();
                }
            });
            for (Connection each : connections.all()) {
                completions.abandon(each, reason);
            }
            transfers.end(reason);
        } finally {
            polling.unlock();
        }
    }
}
