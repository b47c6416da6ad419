package org.galerna.link.ofi;

import java.util.List;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.connection.ConnectionListener;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.Peers;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.Transfers;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** Looks for frames, goes on with what is under way, and tells of peers that are gone: one thread at a time. */
final class Rounds {
    private final ConnectionListener listener;
    private final Runnable wakeUp;
    private final Engine engine;
    private final ReceiveBuffers buffers;
    private final Peers peers;
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
            ConnectionListener listener,
            Runnable wakeUp,
            Engine engine,
            ReceiveBuffers buffers,
            Peers peers,
            Transfers transfers,
            Membership membership) {
        this.listener = listener;
        this.wakeUp = wakeUp;
        this.engine = engine;
        this.buffers = buffers;
        this.peers = peers;
        this.transfers = transfers;
        this.membership = membership;
        this.departures = new Departures(membership, peers, engine, transfers, buffers);
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
        engine.progress();
        long taken = engine.taken(); // by this thread or another
        if (taken != served || unfinished) {
            served = taken;
            handled += serve(handler, limit);
        }
        transfers.progress();
        return membership.pending.get() > 0 ? handled + departures.report(handler) : handled;
    }

    /** Goes through all peers, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        List<Peer> all = peers.all();
        for (int index = 0, size = all.size(); index < size; index++) {
            Peer each = all.get(index);
            handled += each.deliver(handler, transfers, limit);
            if (!each.isConnected() && each.isUp()) {
                answer(each);
            }
            each.settle(buffers);
            more |= each.hasInbound() || each.owesCredits();
        }
        unfinished = more;
        return handled;
    }

    /** A peer that has spoken first is to be answered. */
    private void answer(Peer peer) {
        try {
            Peer unused = peers.reach(peer.peer());
        } catch (CommunicationException unknown) {
            listener.lose(peer.peer(), String.valueOf(unknown.getMessage()));
        }
    }

    /** Makes progress for a thread that does not poll. */
    void progress() {
        if (engine.progress() > 0 && inPoll != Thread.currentThread()) {
            wakeUp.run(); // what has come may be for somebody who sleeps and is not told again
        }
    }

    /** Makes progress if nobody has since the last call; on the manager's thread. True if more is under way then. */
    boolean progressIfIdle() {
        long looks = engine.looks();
        boolean idle = looks == ticked; // otherwise somebody makes progress who knows better when
        if (idle) {
            progress();
            looks = engine.looks();
        }
        ticked = looks;
        return idle && engine.isBusy();
    }

    /** Ends everything: the endpoint touches no memory any more. */
    void close(String reason) {
        polling.lock();
        try {
            closed = true;
            engine.stop();
            peers.all().forEach(Peer::gone);
            transfers.end(reason);
        } finally {
            polling.unlock();
        }
    }
}
