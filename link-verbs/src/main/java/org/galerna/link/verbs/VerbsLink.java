package org.galerna.link.verbs;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.ProcessFence;
import org.galerna.link.Wireup;
import org.galerna.link.support.ControlWireup;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.support.RegistrationCache;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.DescriptorWait;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ReceiveRequests;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank to an adapter for InfiniBand, RoCE or iWARP. Frames travel in messages over a reliable {@link
 * Connection} to each peer that there is something to say to; all of them share one receive queue and one completion
 * queue, which the {@link CompletionPoller} empties. The {@link ConnectionManager} makes connections; the {@link Transfers} move what is large.
 */
final class VerbsLink implements Link {
    static final String NAME = "verbs";

    private static final String CONTROL = "tcp";

    private static final int LOOPBACK_SLOTS = 256;

    private final int rank;
    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkTraits traits;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Transfers transfers;
    private final VerbsRma rma;
    private final CompletionPoller harvest;
    private final Membership membership;
    private final Directory directory;
    private final DescriptorWaiter waiter;
    private final ConnectionManager manager;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final Connections connections;
    private final Departures departures;
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean stopped;
    private volatile boolean saidGoodbye;
    private volatile Runnable attendant = () -> {};
    private volatile boolean delivered; // what was sent before
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    private VerbsLink(Wireup wireup, LinkOptions options, VerbsOptions verbs, Sizes sizes, Attachment attachment)
            throws VerbsException {
        String name = "galerna-verbs-" + wireup.rank();
        this.rank = wireup.rank();
        this.options = options;
        this.sizes = sizes;
        this.attachment = attachment;
        this.traits = new LinkTraits(
                sizes.maximumFrame(),
                Math.max(0, attachment.inlineLimit() - Frames.HEADER_BYTES),
                LinkTraits.USUAL_EAGER_LIMIT,
                true);
        this.pool = attachment.keep(new ReceivePool(attachment, sizes));
        if (wireup.size() > 1) {
            pool.prepare();
        }
        RegistrationCache<MemoryRegion> cache =
                attachment.keep(new RegistrationCache<>(attachment.domain()::register, verbs.cachedRegions()));
        StagingPool staging = attachment.keep(new StagingPool(attachment.domain()));
        FlushTarget flushTarget = attachment.keep(new FlushTarget(attachment.domain()));
        Regions regions = new Regions(cache, verbs.rendezvous() == VerbsOptions.Rendezvous.WRITE);
        this.transfers = new Transfers(staging, cache, regions, attachment.reads(), wireup.size());
        this.rma = new VerbsRma(this, wireup.size(), regions, transfers);
        this.membership = new Membership(rank, wireup.size());
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.connections = new Connections(wireup.size(), this::newConnection);
        this.harvest = new CompletionPoller(this, attachment, pool, connections);
        this.waiter = attachment.keep(new DescriptorWaiter(name, new CompletionSource(attachment, this::fatal)));
        CmConnector connector = CmConnector.openIfWanted(attachment, verbs.connect());
        DescriptorWait eventWait = attachment.keep(
                CmEvents.descriptors(attachment.adapter(), connector == null ? null : connector.events()));
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory = Directory.publish(own, PeerAddress.of(attachment, connector));
        // the last that may fail: it is the manager's to close
        Link control = LinkProvider.named(CONTROL).open(own, LinkOptions.DEFAULT);
        this.manager = new ConnectionManager(
                name,
                this,
                connections,
                attachment,
                sizes,
                directory,
                membership,
                flushTarget,
                control,
                connector,
                eventWait);
        this.departures = new Departures(membership, connections, harvest, transfers, manager);
    }

    /** Attaches the rank, and publishes where it is. */
    static VerbsLink attach(Wireup wireup, LinkOptions options) {
        try {
            VerbsOptions verbs = VerbsOptions.of(wireup.rank());
            Sizes sizes = Sizes.of(options, verbs, wireup.size());
            Attachment attachment = Attachment.open(verbs, sizes, wireup.size());
            try {
                return new VerbsLink(wireup, options, verbs, sizes, attachment).start();
            } catch (VerbsException | RuntimeException failed) {
                attachment.close();
                throw failed;
            }
        } catch (VerbsException | IllegalStateException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use verbs: " + failed.getMessage(), failed);
        }
    }

    private VerbsLink start() {
        try {
            manager.start();
            return this;
        } catch (RuntimeException | OutOfMemoryError noThread) {
            close();
            throw noThread;
        }
    }

    int rank() {
        return rank;
    }

    boolean isStopped() {
        return stopped;
    }

    boolean isClosed() {
        return closed;
    }

    /** The connections there are. */
    Connections connections() {
        return connections;
    }

    /** What has moved so far, for tests and reports. */
    Transfers transfers() {
        return transfers;
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
        return peer == rank ? Optional.empty() : directory.unreachable(peer);
    }

    // ---- connecting

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
        Channel channel;
        if (peer == rank) {
            Loopback own = new Loopback(
                    rank,
                    sizes.maximumFrame(),
                    LOOPBACK_SLOTS,
                    2 * sizes.ringBytes(),
                    options.concurrentClaims(),
                    this::wakeUp,
                    this::forget);
            loopback = own;
            channel = own;
        } else {
            directory.address(peer); // here, where the caller may wait for the wire-up
            Connection connection = connections.to(peer);
            channel = new VerbsChannel(this, connection, sizes.maximumFrame());
            manager.connect(connection);
        }
        channels.set(peer, channel);
        return channel;
    }

    void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    private Connection newConnection(int peer) {
        Connection made = new Connection(this, peer, attachment, pool, sizes, options.concurrentClaims());
        if (membership.isGone(peer)) {
            made.gone();
        }
        return made;
    }

    void tellUp(Connection connection) {
        manager.tell(connection::up);
    }

    // ---- trouble

    /** A connection does not work any more. */
    void lose(int peer, String reason) {
        manager.lose(peer, reason);
    }

    /** Nothing works any more. */
    void fatal(String reason) {
        if (!closed) {
            manager.loseAll(reason);
        }
    }

    void repost(int slot) {
        try {
            pool.post(pool.chain(slot, ReceiveRequests.END));
        } catch (VerbsException broken) {
            fatal(String.valueOf(broken.getMessage()));
        }
    }

    String describeStatus(int status) {
        return VerbsLibrary.open().describeStatus(status);
    }

    // ---- polling

    void harvest() {
        harvest.take();
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        if (inPoll == Thread.currentThread() || !polling.tryLock()) {
            return 0;
        }
        inPoll = Thread.currentThread();
        try {
            return closed ? 0 : look(handler, limit);
        } finally {
            inPoll = null;
            polling.unlock();
        }
    }

    private int look(FrameHandler handler, int limit) {
        Loopback own = loopback;
        int handled = own == null ? 0 : own.poll(handler, limit);
        harvest.take();
        long harvested = harvest.taken(); // by this thread or another
        if (harvested != served || unfinished) {
            served = harvested;
            handled += serve(handler, limit);
        }
        transfers.progress(harvest);
        return membership.pending.get() > 0 ? handled + departures.report(handler) : handled;
    }

    /** Goes through all connections, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        for (Connection each : connections.all()) {
            handled += each.deliver(handler, transfers, limit);
            each.giveCredits();
            if (each.isBlocked()) {
                each.flush();
            }
            more |= each.isUnfinished();
        }
        unfinished = more;
        return handled;
    }

    /**
     * Once in a while, on the manager's thread, for a rank that does not poll: says goodbye for one that has stopped, and
     * sends what was left behind for want of credit.
     *
     * @return whether something was sent, so that more may follow soon
     */
    boolean tick() {
        if (!stopped) {
            return sendLeftBehind();
        }
        if (!saidGoodbye) {
            Draining.discard(this);
            finish();
        }
        return false;
    }

    private boolean sendLeftBehind() {
        long looks = harvest.looks();
        boolean sent = false;
        if (looks == ticked && connections.anyBlocked()) { // otherwise somebody does it who knows better when
            harvest.take();
            looks = harvest.looks();
            for (Connection each : connections.all()) {
                sent |= each.isBlocked() && each.flush();
            }
        }
        ticked = looks;
        return sent;
    }

    /** Goes on with transfers that were begun just now, unless another thread polls, which does it. */
    void advanceTransfers() {
        if (inPoll != Thread.currentThread() && polling.tryLock()) {
            inPoll = Thread.currentThread();
            try {
                if (!closed) {
                    transfers.progress(harvest);
                }
            } finally {
                inPoll = null;
                polling.unlock();
            }
        }
    }

    @Override
    public VerbsRma rma() {
        return rma;
    }

    // ---- waiting

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    void wakeUp() {
        waiter.wakeUp();
    }

    @Override
    public void attend(Runnable called) {
        attendant = called;
    }

    /** A peer wants this rank to look at what has come for it. */
    void roused() {
        attendant.run();
    }

    @Override
    public void rouse(int peer) {
        if (peer != rank && !stopped && !membership.isGone(peer)) {
            manager.rouse(peer);
        }
    }

    // ---- life

    @Override
    public void stop() {
        if (!stopped) {
            stopped = true;
            finish();
        }
    }

    /** Says goodbye as soon as everything is sent; true once it is said. */
    private boolean finish() {
        if (saidGoodbye) {
            return true;
        }
        boolean finished = true;
        for (Connection each : connections.all()) {
            finished &= each.finish();
        }
        if (finished) {
            saidGoodbye = true;
            manager.leave();
        }
        return finished;
    }

    @Override
    public boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> closed || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        if (!stopped) {
            return isAcknowledged();
        }
        finish();
        // stays so: credit that is given back later concerns nobody, and while the control link is asked whether it is
        // drained it tells nobody who is gone
        delivered = delivered || (manager.hasLeft() && isAcknowledged());
        return delivered && manager.isDrained();
    }

    /** Whether all that was sent is at the peers; has it reported, since nobody has asked for that of the last sends. */
    private boolean isAcknowledged() {
        boolean all = true;
        for (Connection each : connections.all()) {
            each.reclaim();
            all &= each.isAcknowledged();
        }
        return all;
    }

    @Override
    public void close() {
        stop();
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        Draining.discard(this);
        manager.close(); // without a lock: the manager may be waiting for one
        polling.lock();
        try {
            harvest.exclude(() -> {
                closed = true;
                for (Connection each : connections.all()) {
                    each.destroy();
                }
            });
            for (Connection each : connections.all()) {
                harvest.abandon(each, "this rank has left the job itself");
            }
            transfers.close("this rank has left the job itself", harvest);
        } finally {
            polling.unlock();
        }
        attachment.close();
    }
}
