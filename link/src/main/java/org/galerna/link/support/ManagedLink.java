package org.galerna.link.support;

import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;

/**
 * What links have in common whose network moves bytes, and does not say who is there: that is the business of a {@link
 * LinkManager} with a control link of its own. A rank that leaves says goodbye once everything is sent.
 */
public abstract class ManagedLink extends LinkBase {
    private static final int LOOPBACK_SLOTS = 256;

    protected final Membership membership;

    protected ManagedLink(int rank, int size) {
        super(rank, size);
        this.membership = new Membership(rank, size);
    }

    /** Starts the thread; if that fails, closes everything. */
    protected final void startManager() {
        try {
            manager().start();
        } catch (RuntimeException | OutOfMemoryError noThread) {
            close();
            throw noThread;
        }
    }

    protected abstract LinkManager manager();

    protected abstract Rounds rounds();

    /** The channel of this rank to itself. */
    protected final Channel loopback(LinkTraits traits, int bytes, LinkOptions options) {
        Loopback own = new Loopback(
                rank,
                traits.maximumFrame(),
                LOOPBACK_SLOTS,
                bytes,
                options.concurrentClaims(),
                this::wakeUp,
                this::forget);
        rounds().add(own);
        return own;
    }

    @Override
    public final int poll(FrameHandler handler, int limit) {
        return rounds().poll(handler, limit);
    }

    /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
    public final void advanceTransfers() {
        rounds().advanceTransfers();
    }

    /** The way to a peer does not work any more. Any thread. */
    public final void lose(int peer, String reason) {
        manager().lose(peer, reason);
    }

    @Override
    public final void rouse(int peer) {
        if (peer != rank && !isStopped() && !membership.isGone(peer)) {
            manager().rouse(peer);
        }
    }

    // ---- closing

    @Override
    protected final void leave() {
        finish();
    }

    /** Says goodbye as soon as everything is sent. */
    protected final void finish() {
        if (life.owesGoodbye() && isSent() && life.sayGoodbye()) {
            manager().leave();
        }
    }

    /** Sends what is claimed; true once nothing is left. */
    protected abstract boolean isSent();

    /**
     * Once in a while, on the manager's thread, for a rank that does not poll: says goodbye for one that has stopped, and goes on
     * with what is under way.
     *
     * @return whether more may follow soon
     */
    public final boolean tick() {
        if (!isStopped()) {
            return goOn();
        }
        if (life.owesGoodbye()) {
            Draining.discard(this);
            finish();
        }
        return life.owesGoodbye() || goesOnAfterGoodbye();
    }

    /** Goes on with what is under way, unless somebody polls, who does it; true if more may follow soon. */
    protected abstract boolean goOn();

    /** The same for a rank that has said goodbye. */
    protected boolean goesOnAfterGoodbye() {
        return false;
    }

    @Override
    public final boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> rounds().isClosed() || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        if (!isStopped()) {
            return isDelivered();
        }
        finish();
        // while the control link is asked whether it is drained it tells nobody who is gone
        if (life.awaitsDelivery() && manager().hasLeft() && isDelivered()) {
            life.delivered(); // credit that is given back later concerns nobody
        }
        return life.isDelivered() && manager().isDrained();
    }

    /** Whether all that was sent is at the peers, as far as the network tells. */
    protected abstract boolean isDelivered();

    @Override
    protected final void end() {
        beforeEnd();
        Draining.discard(this);
        manager().close(); // without the lock of channels: the manager may be waiting for it
        rounds().close("this rank has left the job itself");
        release();
    }

    /** The last time for the network to be used. */
    protected void beforeEnd() {
        // most links leave that to those who drain
    }

    /** Frees what belongs to the network. */
    protected abstract void release();

    @Override
    public abstract LinkWaiter waiter();
}
