package org.galerna.link.transfer;

import java.util.List;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.Membership;
import org.galerna.link.support.Rounds;

/**
 * Rounds over what an adapter has completed. Any thread may take completions; the polling thread sees by their number that
 * there is something to do, so that a look that finds nothing costs the same however many peers there are.
 *
 * @param <P> how the network knows a peer
 */
public abstract class CompletionRounds<P extends FramePeer> extends Rounds {
    private final Transfers transfers;
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick

    protected CompletionRounds(Membership membership, Transfers transfers) {
        super(membership);
        this.transfers = transfers;
    }

    /** Completions that were taken so far, by whatever thread; who sees the number sees what they have changed. */
    protected abstract long taken();

    /** How often some thread has looked for completions. */
    protected abstract long looks();

    /** All peers that are known. */
    protected abstract List<P> peers();

    /** A peer. */
    protected abstract P to(int peer);

    // ---- the polling thread

    @Override
    protected final int look(FrameHandler handler, int limit) {
        boolean unused = take();
        long taken = taken();
        if (taken == served && !unfinished) {
            return 0;
        }
        served = taken;
        return serve(handler, limit);
    }

    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        List<P> all = peers();
        for (int index = 0, size = all.size(); index < size; index++) {
            P each = all.get(index);
            handled += each.deliver(handler, transfers, limit);
            more |= settle(each);
        }
        unfinished = more;
        return handled;
    }

    /** Gives back what was handed over, and sends what it can. True if there is more to do for a peer though nothing comes. */
    protected abstract boolean settle(P peer);

    @Override
    protected final void moveTransfers() {
        transfers.progress();
    }

    @Override
    protected final long received(int peer) {
        return to(peer).received();
    }

    @Override
    protected final boolean hasInbound(int peer) {
        return to(peer).hasInbound();
    }

    @Override
    protected final int deliver(int peer, FrameHandler handler, int limit) {
        return to(peer).deliver(handler, transfers, limit);
    }

    // ---- the manager's thread

    /** Goes on if nobody has looked for completions since the last call. True if more is under way then. */
    public final boolean goOnIfIdle() {
        boolean idle = looks() == ticked; // otherwise somebody goes on who knows better when
        boolean more = idle && goOn();
        ticked = looks();
        return more;
    }

    /** Does for a moment what a polling thread would. True if more is under way. */
    protected abstract boolean goOn();
}
