package org.galerna.link.threads;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.galerna.link.Channel;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Region;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.link.support.DoorbellWaiter;
import org.galerna.link.support.RingFrames;
import org.galerna.memory.RecordRing;
import org.galerna.memory.StridedArray;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank that is a thread. Each ordered pair of ranks that talk has a ring of its own, made by the
 * sender at its first message; the receiver polls the rings that lead to it.
 */
final class ThreadsLink implements SharedHeapLink {
    static final String NAME = "threads";

    private final Wireup wireup;
    private final int rank;
    private final Fabric fabric;
    private final RingSizes sizes;
    private final boolean concurrentClaims;
    private final LinkTraits traits;
    private final DoorbellWaiter waiter = new DoorbellWaiter();
    private final AtomicReferenceArray<@Nullable ThreadsChannel> channels;
    private final ThreadsRma rma;
    private final Object inboundLock = new Object();
    private volatile Inbound[] inbound = {};
    private volatile Runnable attendant = () -> {};
    private volatile boolean stopped;
    private volatile boolean closed;

    // of the polling thread
    private int departuresSeen;
    private final boolean[] lost;

    private ThreadsLink(Wireup wireup, LinkOptions options) {
        this.wireup = wireup;
        this.rank = wireup.rank();
        this.fabric = Fabric.attach(wireup.job(), rank, wireup.size());
        this.sizes = RingSizes.of(options, wireup.size());
        this.concurrentClaims = options.concurrentClaims();
        this.traits =
                new LinkTraits(sizes.maximumRecord(), RecordRing.INLINE_BYTES, LinkTraits.USUAL_EAGER_LIMIT, false);
        this.rma = new ThreadsRma(rank, fabric);
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.lost = new boolean[wireup.size()];
    }

    static ThreadsLink attach(Wireup wireup, LinkOptions options) {
        ThreadsLink link = new ThreadsLink(wireup, options);
        link.fabric.add(link);
        Fabric.publish(wireup);
        return link;
    }

    /** Frames that lead here from one peer. */
    private record Inbound(ThreadsChannel channel, RingFrames frames) {}

    int rank() {
        return rank;
    }

    boolean isStopped() {
        return stopped;
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
    public Optional<String> unreachable(int peer) {
        return Fabric.isHere(wireup, peer)
                ? Optional.empty()
                : Optional.of("rank " + peer + " is not a thread of this process");
    }

    @Override
    public Channel connect(int peer) {
        Channel channel = channels.get(peer);
        return channel != null ? channel : open(peer);
    }

    private synchronized Channel open(int peer) {
        Channel existing = channels.get(peer);
        if (existing != null) {
            return existing;
        }
        ThreadsLink target = fabric.link(peer);
        // collected with its last user: frames must stay readable after this rank has left
        MemorySegment memory = Arena.ofAuto().allocate(sizes.bytes(), 128);
        RecordRing ring = RecordRing.create(memory, sizes.slots(), sizes.dataBytes());
        ThreadsChannel channel = new ThreadsChannel(ring, concurrentClaims, this, target);
        target.addInbound(new Inbound(channel, new RingFrames(rank, ring)));
        channels.set(peer, channel);
        return channel;
    }

    private void addInbound(Inbound added) {
        // a lock of its own: two ranks that open channels to each other hold their own link's lock here
        synchronized (inboundLock) {
            Inbound[] grown = Arrays.copyOf(inbound, inbound.length + 1);
            grown[grown.length - 1] = added;
            inbound = grown;
        }
    }

    private void dropInbound(ThreadsChannel channel) {
        synchronized (inboundLock) {
            inbound = Arrays.stream(inbound)
                    .filter(each -> !each.channel.equals(channel))
                    .toArray(Inbound[]::new);
        }
    }

    void forget(ThreadsChannel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        // departures first: a peer's last frames and its last ring were there before it left
        int departures = fabric.departures.getAcquire();
        int handled = 0;
        for (Inbound each : inbound) {
            handled += poll(each, handler, limit);
        }
        if (departures != departuresSeen) {
            departuresSeen = departures;
            handled += reportDepartures(handler);
        }
        return handled;
    }

    private int poll(Inbound from, FrameHandler handler, int limit) {
        boolean ended = from.channel.isClosed(); // before the poll: nothing is committed after it
        int handled = from.frames.poll(handler, limit);
        if (ended && from.frames.isEmpty()) {
            dropInbound(from.channel);
        }
        return handled;
    }

    private int reportDepartures(FrameHandler handler) {
        int handled = 0;
        for (int peer = 0; peer < lost.length; peer++) {
            ThreadsLink link = fabric.find(peer);
            if (!lost[peer] && peer != rank && link != null && link.stopped) {
                lost[peer] = true;
                for (Inbound each : inbound) {
                    if (each.frames.peer() == peer) {
                        handled += each.frames.drain(handler);
                    }
                }
                handler.onPeerLeft(peer);
                handled++;
            }
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
    public LinkWaiter waiter() {
        return waiter;
    }

    void wakeUp() {
        waiter.wakeUp();
    }

    @Override
    public void wakeUp(int peer) {
        ThreadsLink link = fabric.find(peer);
        if (link != null) {
            link.wakeUp();
        }
    }

    @Override
    public void attend(Runnable called) {
        attendant = called;
    }

    @Override
    public void rouse(int peer) {
        ThreadsLink link = fabric.find(peer);
        if (link != null && link != this) {
            link.attendant.run();
        }
    }

    @Override
    public <T> T meet(Class<T> type, Object key, int parties, Supplier<T> maker) {
        return type.cast(fabric.meetings.join(rank, key, parties, maker));
    }

    @Override
    public void stop() {
        if (!stopped) {
            stopped = true;
            fabric.departures.incrementAndGet();
            for (int peer = 0; peer < fabric.size(); peer++) {
                ThreadsLink other = fabric.find(peer);
                if (other != null && other != this) {
                    other.wakeUp();
                }
            }
        }
    }

    @Override
    public boolean drain(long nanos) {
        return true; // rings outlive the link
    }

    @Override
    public void close() {
        stop();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        Fabric.detach(wireup.job());
    }
}
