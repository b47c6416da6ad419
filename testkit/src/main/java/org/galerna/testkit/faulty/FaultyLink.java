package org.galerna.testkit.faulty;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Random;
import org.galerna.link.Channel;
import org.galerna.link.Footprint;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Rma;
import org.jspecify.annotations.Nullable;

/**
 * A link before another one: hands everything on, and holds back, refuses and cuts off what its {@link Faults} say. With none
 * it is as fast and as able as the link behind it. It keeps every promise of a link, so that whatever works over links has to
 * work over this one.
 *
 * <p>A rank that has lost a peer hears nothing of it any more. The peer does not know that, unless its own link loses this rank.
 */
public final class FaultyLink implements Link {
    /** Reason that is told of a peer that is lost. */
    public static final String CUT = "the test has cut it off";

    private final Link inner;
    private final Faults faults;
    private final Random random; // of any thread
    private final HeldBack heldBack;
    private final @Nullable FaultyChannel[] channels; // guarded by itself
    private final Inbound inbound = new Inbound();
    private final Rma rma;
    private final LinkWaiter waiter;
    private volatile boolean cut;

    /** Before a link of one rank of so many. */
    public FaultyLink(Link inner, int rank, int size, Faults faults) {
        this.inner = inner;
        this.faults = faults;
        this.random = new Random(~faults.seed());
        this.heldBack = new HeldBack(rank, size, faults);
        this.channels = new FaultyChannel[size];
        this.rma = faults.isNone() ? inner.rma() : new FaultyRma(inner.rma(), heldBack, this::isLost);
        this.waiter = faults.isNone() ? inner.waiter() : new Waiter();
    }

    private boolean isLost(int peer) {
        return cut && peer == faults.lostPeer();
    }

    @Override
    public String name() {
        return FaultyLinkProvider.NAME;
    }

    @Override
    public LinkTraits traits() {
        return inner.traits();
    }

    @Override
    public Optional<Footprint> footprint(int peers) {
        return inner.footprint(peers);
    }

    @Override
    public Optional<String> unreachable(int peer) {
        return inner.unreachable(peer);
    }

    @Override
    public Channel connect(int peer) {
        Channel channel = inner.connect(peer);
        if (faults.isNone()) {
            return channel;
        }
        synchronized (channels) {
            FaultyChannel known = channels[peer];
            if (known == null || !known.isOf(channel)) {
                known = new FaultyChannel(channel, random, faults.pressure(), () -> isLost(peer));
                channels[peer] = known;
            }
            return known;
        }
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        if (faults.isNone()) {
            return inner.poll(handler, limit);
        }
        int ignored = inner.poll(inbound, limit);
        return heldBack.tell(handler, limit);
    }

    /** Holds back what comes. */
    private final class Inbound implements FrameHandler {
        private int framesOfLost;

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            if (isLost(peer)) {
                return;
            }
            heldBack.addFrame(peer, memory, offset, length);
            if (peer == faults.lostPeer() && ++framesOfLost >= faults.framesBeforeLoss()) {
                cutOff(peer);
            }
        }

        private void cutOff(int peer) {
            cut = true;
            heldBack.add(peer, handler -> handler.onPeerLost(peer, CUT));
        }

        @Override
        public void onRegionRead(int peer, long token) {
            if (!isLost(peer)) {
                heldBack.add(peer, handler -> handler.onRegionRead(peer, token));
            }
        }

        @Override
        public void onReleaseAsked(int peer) {
            heldBack.add(peer, handler -> handler.onReleaseAsked(peer));
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            if (!isLost(peer)) {
                heldBack.add(peer, handler -> handler.onPeerLost(peer, reason));
            }
        }

        @Override
        public void onPeerLeft(int peer) {
            if (!isLost(peer)) {
                heldBack.add(peer, handler -> handler.onPeerLeft(peer));
            }
        }
    }

    @Override
    public Rma rma() {
        return rma;
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    /** Sleeps no longer than until something that is held back is due. */
    private final class Waiter implements LinkWaiter {
        @Override
        public void prepare() {
            inner.waiter().prepare();
        }

        @Override
        public void await(long nanos) {
            long most = heldBack.untilNext(nanos);
            if (most == 0) {
                inner.waiter().cancel();
            } else {
                inner.waiter().await(most);
            }
        }

        @Override
        public void cancel() {
            inner.waiter().cancel();
        }

        @Override
        public void wakeUp() {
            inner.waiter().wakeUp();
        }
    }

    @Override
    public void attend(Runnable attendant) {
        inner.attend(attendant);
    }

    @Override
    public void rouse(int peer) {
        inner.rouse(peer);
    }

    @Override
    public void stop() {
        inner.stop();
    }

    @Override
    public boolean drain(long nanos) {
        return inner.drain(nanos);
    }

    @Override
    public void close() {
        inner.close();
    }
}
