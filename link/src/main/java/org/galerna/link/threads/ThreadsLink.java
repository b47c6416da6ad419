package org.galerna.link.threads;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.galerna.link.Channel;
import org.galerna.link.Descriptor;
import org.galerna.link.Footprint;
import org.galerna.link.Footprint.Range;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Region;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.link.process.SleepFence;
import org.galerna.link.support.DoorbellWaiter;
import org.galerna.link.support.LinkBase;
import org.galerna.link.support.PrivateRings;
import org.galerna.link.support.RingFrames;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.RecordRing;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank that is a thread. In a small job each ordered pair of ranks that talk has a ring of its own, made
 * by the sender at its first message; the receiver polls the rings that lead to it. In a larger one each rank has a queue
 * that all write to, and so many rings of busy pairs as {@link PrivateRings} says.
 */
final class ThreadsLink extends LinkBase implements SharedHeapLink {
    static final String NAME = "threads";

    private final Wireup wireup;
    private final Fabric fabric;
    private final RingSizes sizes;
    private final boolean concurrentClaims;
    private final LinkTraits traits;
    private final AsymmetricFence sleepFence;
    private final DoorbellWaiter waiter;
    private final ThreadsRma rma;
    private final @Nullable ReceiveQueue receiveQueue;
    private final Object inboundLock = new Object();
    private volatile Inbound[] inbound = {};

    /** Changes when somebody has left, or this rank is to look at {@link #receiveQueue}'s requests. */
    private final AtomicInteger notices = new AtomicInteger();

    private int noticesSeen; // of the polling thread
    private final Departures departures;

    private ThreadsLink(Wireup wireup, LinkOptions options) {
        super(wireup.rank(), wireup.size());
        this.wireup = wireup;
        this.sleepFence = SleepFence.of(wireup);
        this.waiter = new DoorbellWaiter(sleepFence);
        this.fabric = Fabric.attach(wireup.job(), rank, wireup.size());
        this.sizes = RingSizes.of(options, wireup.size());
        this.concurrentClaims = options.concurrentClaims();
        this.traits =
                new LinkTraits(sizes.maximumRecord(), RecordRing.INLINE_BYTES, LinkTraits.USUAL_EAGER_LIMIT, false);
        this.rma = new ThreadsRma(rank, fabric);
        this.receiveQueue = concurrentClaims
                ? null
                : PrivateRings.of(wireup.size()).stream()
                        .mapToObj(rings -> new ReceiveQueue(this, sizes.ofQueue(), wireup.size(), rings))
                        .findFirst()
                        .orElse(null);
        this.departures = new Departures(this, fabric);
    }

    static ThreadsLink attach(Wireup wireup, LinkOptions options) {
        ThreadsLink link = new ThreadsLink(wireup, options);
        link.fabric.add(link);
        Fabric.publish(wireup);
        return link;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LinkTraits traits() {
        return traits;
    }

    @Override
    public Optional<Footprint> footprint(int peers) {
        int pairs = peers + 1; // a rank reaches itself in the same way
        Range memory = receiveQueue == null
                ? Range.upTo(pairs * sizes.bytes())
                : new Range(
                        receiveQueue.bytes(),
                        receiveQueue.bytes() + Math.min(pairs, receiveQueue.limit()) * sizes.bytes());
        return Optional.of(Footprint.ofRank(Footprint.Amounts.memory(memory)));
    }

    @Override
    public Optional<String> unreachable(int peer) {
        return Fabric.isHere(wireup, peer)
                ? Optional.empty()
                : Optional.of("rank " + peer + " is not a thread of this process");
    }

    @Override
    protected Channel newChannel(int peer) {
        ThreadsLink target = fabric.link(peer);
        ReceiveQueue queue = target.receiveQueue;
        if (queue != null) {
            return new ThreadsQueueChannel(queue, this, target);
        }
        Inbound ring = newRing(target);
        target.addInbound(ring);
        return ring.channel();
    }

    private Inbound newRing(ThreadsLink target) {
        RecordRing ring = sizes.newRing();
        return new Inbound(new ThreadsChannel(ring, concurrentClaims, this, target), new RingFrames(rank, ring));
    }

    /** A ring for this rank's way to a peer that has a queue; null if that one has no room for it. */
    @Nullable
    Inbound reserveRing(ThreadsLink target, ReceiveQueue queue) {
        return queue.reserve(rank) ? newRing(target) : null;
    }

    /** Lets {@link #connect} answer with the channel into a ring, in place of one into the peer's queue. */
    void use(Inbound ring, ThreadsQueueChannel former) {
        replace(former, ring.channel());
    }

    boolean usesQueues() {
        return receiveQueue != null;
    }

    /** A ring that leads here will have a frame for {@link #poll}. */
    void addInbound(Inbound added) {
        // a lock of its own: two ranks that open channels to each other hold their own link's lock here
        synchronized (inboundLock) {
            Inbound[] grown = Arrays.copyOf(inbound, inbound.length + 1);
            grown[grown.length - 1] = added;
            inbound = grown;
        }
    }

    /** Nothing more comes through the rings of a peer: takes what is left in them. Returns the number of frames. */
    int endRings(int peer, FrameHandler handler) {
        int handled = 0;
        for (Inbound each : inbound) {
            if (each.frames().peer() == peer) {
                handled += each.frames().drain(handler);
                dropInbound(each);
            }
        }
        return handled;
    }

    private void dropInbound(Inbound dropped) {
        synchronized (inboundLock) {
            inbound =
                    Arrays.stream(inbound).filter(each -> !each.equals(dropped)).toArray(Inbound[]::new);
        }
        if (receiveQueue != null) {
            receiveQueue.giveBack();
        }
    }

    /** The rings that lead here. */
    Inbound[] inbound() {
        return inbound;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        int noticed = notices.getAcquire();
        int handled = receiveQueue == null ? 0 : receiveQueue.poll(handler, limit);
        for (Inbound each : inbound) {
            handled += poll(each, handler, limit);
        }
        if (noticed != noticesSeen) {
            handled += attendTo(noticed, handler);
        }
        return handled;
    }

    private int attendTo(int noticed, FrameHandler handler) {
        int reported = departures.report(handler, receiveQueue);
        if (receiveQueue != null) {
            receiveQueue.serveRequests(handler);
        }
        if (departures.areReported()) {
            noticesSeen = noticed; // otherwise the next poll comes here again
        }
        return reported;
    }

    /** Lets the next poll look at what else there is but frames. */
    void notice() {
        notices.incrementAndGet();
    }

    /** Lets this rank release its channel, if it is still the one to that peer. */
    void askForRelease(ThreadsChannel channel) {
        if (receiveQueue != null) {
            receiveQueue.askForRelease(channel);
            notice();
            wakeUp();
        }
    }

    boolean isCurrent(ThreadsChannel channel) {
        return channel.equals(opened(channel.peer()));
    }

    private int poll(Inbound from, FrameHandler handler, int limit) {
        boolean ended = from.channel().isClosed(); // before the poll: nothing is committed after it
        int handled = from.frames().poll(handler, limit);
        if (ended && from.frames().isEmpty()) {
            dropInbound(from);
        }
        return handled;
    }

    @Override
    public ThreadsRma rma() {
        return rma;
    }

    @Override
    public Region register(StridedArray elements) {
        return rma.register(elements);
    }

    @Override
    public void get(int peer, Descriptor region, StridedArray local, long length, TransferCompletion completion) {
        rma.get(peer, region, local, length, completion);
    }

    @Override
    public AsymmetricFence sleepFence() {
        return sleepFence;
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    @Override
    public void wakeUp(int peer) {
        ThreadsLink link = fabric.find(peer);
        if (link != null) {
            link.wakeUp();
        }
    }

    @Override
    public void rouse(int peer) {
        ThreadsLink link = fabric.find(peer);
        if (link != null && link != this) {
            link.roused();
        }
    }

    @Override
    public <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker) {
        return type.cast(fabric.meetings.join(rank, key, parties, maker));
    }

    @Override
    protected void leave() {
        fabric.addDeparture(rank);
        for (int peer = 0; peer < fabric.size(); peer++) {
            ThreadsLink other = fabric.find(peer);
            if (other != null && other != this) {
                other.notice();
                other.wakeUp();
            }
        }
    }

    @Override
    public boolean drain(long nanos) {
        return true; // rings outlive the link
    }

    @Override
    protected void end() {
        Fabric.detach(wireup.job());
    }
}
