package org.galerna.link.support;

import org.galerna.link.FrameHandler;
import org.galerna.link.process.ProcessFence;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** Looks for frames, goes on with what is under way, and tells of peers that are gone: one thread at a time. */
public abstract class Rounds {
    /**
     * A peer that has left has this long for its last messages to be found. It has seen that they have come, or has given up; so
     * they are here, unless they are still on their way from a peer that did not wait.
     */
    private static final long LAST_MESSAGES_NANOS = 4_000_000_000L;

    private final Membership membership;
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean closed;

    protected Rounds(Membership membership) {
        this.membership = membership;
    }

    /** What this rank sends to itself is to be looked for, too. */
    final void add(Loopback own) {
        loopback = own;
    }

    /** Whether there are no more rounds. */
    public final boolean isClosed() {
        return closed;
    }

    /** Whether this thread looks just now. */
    protected final boolean isInPoll() {
        return inPoll == Thread.currentThread();
    }

    /** Looks for frames and hands them over; their number, and that of peers that are reported. */
    public final int poll(FrameHandler handler, int limit) {
        if (!enter()) {
            return 0;
        }
        try {
            return closed ? 0 : lookAtAll(handler, limit);
        } finally {
            exit();
        }
    }

    /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
    public final void advanceTransfers() {
        if (enter()) {
            try {
                if (!closed) {
                    moveTransfers();
                }
            } finally {
                exit();
            }
        }
    }

    /** False if another thread polls, or this one does already. */
    private boolean enter() {
        if (isInPoll() || !polling.tryLock()) {
            return false;
        }
        inPoll = Thread.currentThread();
        return true;
    }

    private void exit() {
        inPoll = null;
        polling.unlock();
    }

    private int lookAtAll(FrameHandler handler, int limit) {
        Loopback own = loopback;
        int handled = own == null ? 0 : own.poll(handler, limit);
        handled += look(handler, limit);
        moveTransfers();
        return membership.pending.get() > 0 ? handled + report(handler) : handled;
    }

    /** Hands over what has come of peers; the number of frames. */
    protected abstract int look(FrameHandler handler, int limit);

    /** Goes on with transfers. */
    protected abstract void moveTransfers();

    // ---- peers that are gone

    private int report(FrameHandler handler) {
        int handled = 0;
        for (Membership.Departure departure : membership.unreported()) {
            if (mayReport(departure)) {
                handled += report(departure, handler);
            }
        }
        return handled;
    }

    /** Whether nothing more will come of a peer. */
    private boolean mayReport(Membership.Departure departure) {
        int peer = departure.peer();
        long messages = departure.messages();
        if (!mayCome(peer) || (messages >= 0 && received(peer) >= messages)) {
            return true;
        }
        if (messages >= 0 && System.nanoTime() - departure.since() < LAST_MESSAGES_NANOS) {
            return false;
        }
        while (take()) {
            // what has come before it was lost
        }
        return true;
    }

    private int report(Membership.Departure departure, FrameHandler handler) {
        int peer = departure.peer();
        int handled = 0;
        while (hasInbound(peer)) {
            int last = deliver(peer, handler, Integer.MAX_VALUE);
            handled += last;
            if (last == 0 && hasInbound(peer)) {
                break; // what cannot be understood is not waited for
            }
        }
        moveTransfers();
        membership.report(peer);
        boolean left = departure.reason().equals(FrameHandler.LEFT);
        cut(peer, departure.reason(), left);
        if (left) {
            handler.onPeerLeft(peer);
        } else {
            handler.onPeerLost(peer, departure.reason());
        }
        return handled + 1;
    }

    /** Takes what has come, without handing it over; true if there may be more. */
    protected abstract boolean take();

    /** Whether a peer is connected, so that something may come of it. */
    protected boolean mayCome(int peer) {
        return true;
    }

    /** Messages that have come of a peer. */
    protected abstract long received(int peer);

    /** Whether something has come of a peer that is not handed over. */
    protected abstract boolean hasInbound(int peer);

    /** Hands over what has come of a peer; the number of frames. */
    protected abstract int deliver(int peer, FrameHandler handler, int limit);

    /** Ends what is under way with a peer that has left or is lost. */
    protected abstract void cut(int peer, String reason, boolean left);

    // ---- the end

    /** Ends everything: nothing is handed over any more, and the network touches no memory. */
    public final void close(String reason) {
        polling.lock();
        try {
            closed = true;
            end(reason);
        } finally {
            polling.unlock();
        }
    }

    /** Ends what is under way with all peers. */
    protected abstract void end(String reason);
}
