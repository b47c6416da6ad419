package org.galerna.link.hybrid;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Footprint;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Reach;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.link.support.LinkLife;
import org.jspecify.annotations.Nullable;

/**
 * Several links as one: each peer is reached by the first of them that can. Links that reach nobody are closed as soon
 * as that is known, which is at the first use after the fence.
 *
 * <p>Threads sleep at the first link; a {@link WakeupBridge} watches each of the others for them.
 */
public final class HybridLink implements Link {
    private final int rank;
    private final int size;
    private final Opening opening;
    private final Rma rma = new HybridRma();
    private final LinkWaiter waiter = new HybridWaiter();
    private volatile @Nullable Settled settled;
    private final LinkLife life = new LinkLife();

    private HybridLink(Opening opening) {
        this.rank = opening.wireup.rank();
        this.size = opening.wireup.size();
        this.opening = opening;
    }

    /**
     * Attaches the rank to every network that it can use. One that is missing, or cannot be opened, is done without, and
     * {@link #against} says why. Where all ranks are known to be on one host, those behind the first one that connects ranks of a
     * host are put off, see {@link #openFurther}.
     *
     * @param names names of the links, the fastest first
     * @throws CommunicationException if none can be used
     */
    public static HybridLink open(List<String> names, Wireup wireup, LinkOptions options) {
        Opening opening = new Opening(wireup, options, names);
        try {
            opening.go(wireup.isOneHost());
        } catch (RuntimeException failed) {
            opening.links.forEach(Link::close);
            throw failed;
        }
        if (opening.links.isEmpty()) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " can use no link (" + String.join("; ", opening.refused) + ")");
        }
        return new HybridLink(opening);
    }

    /**
     * Opens the links that have been put off, unless all ranks reach each other without them. If it did, their addresses have to be
     * exchanged by another fence. To be called by every rank between the first fence and the first use.
     *
     * <p>All ranks come to the same result: ranks that a link inside a host connects see the same memory or files, and one that could
     * not open such a link is reached by it from nowhere.
     *
     * @return whether another fence is needed
     */
    public boolean openFurther() {
        if (!opening.wireup.isOneHost() || opening.isComplete()) {
            return false;
        }
        opening.go(false);
        return true;
    }

    /** What has been opened so far, and why the others have not. One thread opens. */
    private static final class Opening {
        private final Wireup wireup;
        private final LinkOptions options;
        private final Deque<String> left;
        final List<Link> links = new CopyOnWriteArrayList<>();
        final List<String> refused = new ArrayList<>();
        private @Nullable Link insideHost;

        Opening(Wireup wireup, LinkOptions options, List<String> names) {
            this.wireup = wireup;
            this.options = options;
            this.left = new ArrayDeque<>(names);
        }

        /** Opens what is left, up to a link that connects ranks of one host if that is enough. */
        void go(boolean insideHostIsEnough) {
            while (!left.isEmpty() && !(insideHostIsEnough && insideHost != null)) {
                tryOne(left.removeFirst());
            }
        }

        /** Whether such a link reaches all ranks. */
        boolean isComplete() {
            Link link = insideHost;
            return link != null && (link.reachesAll() || reachesEach(link));
        }

        private boolean reachesEach(Link link) {
            return IntStream.range(0, wireup.size())
                    .allMatch(peer -> peer == wireup.rank()
                            || Routes.reasonAgainst(link, peer).isEmpty());
        }

        private void tryOne(String name) {
            Optional<LinkProvider> found = LinkProvider.find(name);
            if (found.isEmpty()) {
                refused.add(name + ": not on the class path");
                return;
            }
            LinkProvider provider = found.get();
            Optional<String> faster = provider.substituteFor();
            if (faster.isPresent()
                    && links.stream().anyMatch(each -> each.name().equals(faster.get()))) {
                return;
            }
            Optional<String> reason = provider.unavailable(wireup);
            if (reason.isPresent()) {
                refused.add(name + ": " + reason.get());
                return;
            }
            try {
                Link link = provider.open(wireup, options);
                links.add(link);
                if (provider.reach() == Reach.HOST && insideHost == null) {
                    insideHost = link;
                }
            } catch (CommunicationException failed) {
                refused.add(name + ": " + failed.getMessage());
            }
        }
    }

    private static LinkTraits common(List<Link> links) {
        LinkTraits common = links.getFirst().traits();
        for (Link link : links) {
            LinkTraits each = link.traits();
            common = new LinkTraits(
                    Math.min(common.maximumFrame(), each.maximumFrame()),
                    Math.min(common.inlineFrame(), each.inlineFrame()),
                    Math.min(common.eagerLimit(), each.eagerLimit()),
                    common.writesOnFlush() || each.writesOnFlush());
        }
        return common;
    }

    /** What is known once the addresses have been exchanged. */
    private static final class Settled {
        final Routes routes;
        final Link first;
        final Link[] links;
        final Inbound[] inbounds;
        final WakeupBridge[] sentinels;

        Settled(int rank, Routes routes) {
            this.routes = routes;
            this.first = routes.used().getFirst();
            this.links = routes.used().toArray(Link[]::new);
            this.inbounds = routes.used().stream()
                    .map(link -> new Inbound(link, routes))
                    .toArray(Inbound[]::new);
            this.sentinels = routes.used().stream()
                    .skip(1)
                    .map(each -> new WakeupBridge(
                            "galerna-" + each.name() + "-sentinel-" + rank, each, first.waiter()::wakeUp))
                    .toArray(WakeupBridge[]::new);
        }
    }

    private Settled settled() {
        Settled known = settled;
        return known != null ? known : settle();
    }

    private synchronized Settled settle() {
        Settled known = settled;
        if (known != null) {
            return known;
        }
        Routes routes = Routes.choose(rank, size, opening.links, opening.refused);
        known = new Settled(rank, routes);
        settled = known;
        for (Link each : opening.links) {
            if (!routes.used().contains(each)) {
                each.close();
            }
        }
        return known;
    }

    /** The link that reaches whomever it can; for what has to be known before the addresses have been exchanged. */
    public Link fastest() {
        return opening.links.getFirst();
    }

    /**
     * The only link that reaches anybody, if it is one, so that nothing of this one lies on the way of a message; otherwise
     * this one. Whoever uses the answer closes it instead of this.
     */
    public Link simplified() {
        Settled known = settled();
        return known.links.length == 1 ? known.first : this;
    }

    /** Why a peer is not reached by a faster link than it is, a sentence each that begins with that link's name. */
    public List<String> against(int peer) {
        return settled().routes.to(peer).against();
    }

    @Override
    public String name() {
        return "hybrid";
    }

    @Override
    public LinkTraits traits() {
        return common(opening.links);
    }

    /** {@inheritDoc} Of every link that reaches somebody, and of the threads that watch all but the first. */
    @Override
    public Optional<Footprint> footprint(int peers) {
        Settled known = settled();
        Footprint sum = Footprint.ofRank(Footprint.Amounts.threads(Footprint.Range.upTo(known.sentinels.length)));
        for (Link link : known.links) {
            Optional<Footprint> one = link.footprint(known.routes.peersOf(rank, link));
            if (one.isEmpty()) {
                return one;
            }
            sum = sum.plus(one.get());
        }
        return Optional.of(sum);
    }

    @Override
    public boolean reachesAll() {
        Settled known = settled();
        return known.links.length == 1 && known.first.reachesAll();
    }

    @Override
    public Link via(int peer) {
        return settled().routes.to(peer).link();
    }

    @Override
    public Channel connect(int peer) {
        return via(peer).connect(peer);
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        int handled = 0;
        for (Inbound each : settled().inbounds) {
            handled += each.poll(handler, limit);
        }
        return handled;
    }

    @Override
    public Rma rma() {
        return rma;
    }

    /** Goes by the link of each peer. */
    private final class HybridRma implements Rma {
        /** Not offered: a region belongs to the link of the peer that it is for, see {@link Link#via}. */
        @Override
        public Region register(MemorySegment memory, @Nullable Region former) {
            throw new IllegalStateException("memory is registered with the link of the peer that it is for");
        }

        @Override
        public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
            via(peer).rma().get(peer, region, offset, local, completion);
        }

        @Override
        public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
            via(peer).rma().put(peer, region, offset, local, completion);
        }

        @Override
        public void flush(int peer, TransferCompletion completion) {
            via(peer).rma().flush(peer, completion);
        }

        @Override
        public boolean assist() {
            boolean worked = false;
            for (Link each : settled().links) {
                worked |= each.rma().assist();
            }
            return worked;
        }

        @Override
        public Optional<MemorySegment> allocate(long bytes, Arena arena) {
            return Arrays.stream(settled().links)
                    .flatMap(each -> each.rma().allocate(bytes, arena).stream())
                    .findFirst();
        }
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    /** Threads sleep at the first link. */
    private final class HybridWaiter implements LinkWaiter {
        @Override
        public void prepare() {
            Settled known = settled();
            known.first.waiter().prepare();
            for (WakeupBridge each : known.sentinels) {
                each.arm();
            }
        }

        @Override
        public void await(long nanos) {
            settled().first.waiter().await(nanos);
        }

        @Override
        public void cancel() {
            settled().first.waiter().cancel();
        }

        @Override
        public void wakeUp() {
            settled().first.waiter().wakeUp();
        }

        @Override
        public boolean wakesForRoom() {
            return Arrays.stream(settled().links).allMatch(each -> each.waiter().wakesForRoom());
        }
    }

    @Override
    public void attend(Runnable attendant) {
        for (Link each : settled().links) {
            each.attend(attendant);
        }
    }

    @Override
    public void rouse(int peer) {
        via(peer).rouse(peer);
    }

    private List<Link> open() {
        Settled known = settled;
        return known == null ? opening.links : List.of(known.links);
    }

    @Override
    public void stop() {
        open().forEach(Link::stop);
    }

    @Override
    public boolean drain(long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean empty = true;
        for (Link each : open()) {
            empty &= each.drain(Math.max(0, deadline - System.nanoTime()));
        }
        return empty;
    }

    @Override
    public synchronized void close() {
        if (!life.close()) {
            return;
        }
        Settled known = settled;
        if (known != null) {
            for (WakeupBridge each : known.sentinels) {
                each.close();
            }
        }
        open().forEach(Link::close);
    }
}
