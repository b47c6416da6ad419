package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkCapabilities;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.ProcessFence;
import org.galerna.link.Region;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.ReceiveRequests;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank to an adapter for InfiniBand, RoCE or iWARP. Frames travel in messages over a reliable {@link
 * Connection} to each peer that there is something to say to; all of them share one receive queue and one completion
 * queue, which the {@link Harvest} empties. The {@link Manager} makes connections; the {@link Transfers} move what is large.
 */
final class VerbsLink implements Link {
    static final String NAME = "verbs";

    private static final String CONTROL = "tcp";
    private static final int DRAIN_LIMIT = 1024;
    private static final long DRAIN_SLICE_NANOS = 5_000_000;

    /** A peer that has left has this long for its last messages to arrive: more than the retries of an adapter take. */
    private static final long LAST_MESSAGES_NANOS = 4_000_000_000L;

    private final int rank;
    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkCapabilities capabilities;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Regions regions;
    private final Transfers transfers;
    private final Harvest harvest;
    private final Roster roster;
    private final Directory directory;
    private final Waiter waiter;
    private final @Nullable CmConnector connector;
    private final Manager manager;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final AtomicReferenceArray<@Nullable Connection> connections;
    private volatile Connection[] polled = {}; // written under this
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean stopped;
    private volatile boolean saidGoodbye;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    private VerbsLink(Wireup wireup, LinkOptions options, VerbsOptions verbs, Sizes sizes, Attachment attachment)
            throws VerbsException {
        String name = "galerna-verbs-" + wireup.rank();
        this.rank = wireup.rank();
        this.options = options;
        this.sizes = sizes;
        this.attachment = attachment;
        this.capabilities = new LinkCapabilities(
                sizes.maximumFrame(),
                Math.max(0, attachment.inlineLimit() - Frames.HEADER_BYTES),
                verbs.rendezvous() == VerbsOptions.Rendezvous.READ,
                true,
                false,
                1);
        this.pool = attachment.keep(new ReceivePool(attachment, sizes));
        RegistrationCache cache = attachment.keep(new RegistrationCache(attachment.domain(), verbs.cachedRegions()));
        StagingPool staging = attachment.keep(new StagingPool(attachment.domain()));
        this.regions = new Regions(
                cache,
                attachment.keep(new RegionDirectory(attachment.domain())),
                verbs.rendezvous() == VerbsOptions.Rendezvous.WRITE);
        this.transfers = new Transfers(staging, cache, regions, attachment.reads(), wireup.size());
        this.harvest = new Harvest(this, attachment, pool);
        this.roster = new Roster(rank, wireup.size());
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.connections = new AtomicReferenceArray<>(wireup.size());
        this.waiter = attachment.keep(new Waiter(name, attachment));
        this.connector = connector(verbs);
        ControlWireup own = ControlWireup.next(wireup);
        this.directory = Directory.publish(own, address());
        Link control = LinkProvider.named(CONTROL).open(own, LinkOptions.DEFAULT);
        this.manager =
                new Manager(name, this, attachment, sizes, directory, roster, regions.directory(), control, connector);
    }

    private @Nullable CmConnector connector(VerbsOptions verbs) throws VerbsException {
        if (verbs.connect() == VerbsOptions.Connect.EXCHANGE) {
            return null;
        }
        Optional<String> obstacle = RdmaCm.unavailable();
        if (obstacle.isEmpty()) {
            try {
                return attachment.keep(CmConnector.open(attachment));
            } catch (IllegalStateException noAddress) {
                obstacle = Optional.of(String.valueOf(noAddress.getMessage()));
            }
        }
        if (verbs.connect() == VerbsOptions.Connect.RDMACM
                || attachment.adapter().isIwarp()) {
            throw new IllegalStateException(obstacle.get());
        }
        return null;
    }

    private PeerAddress address() {
        String kind = attachment.adapter().isIwarp()
                ? "iwarp"
                : attachment.choice().port().ethernet() ? "roce" : "infiniband";
        String where = attachment.choice().adapter() + " port "
                + attachment.choice().port().number();
        return new PeerAddress(kind, where, connector == null ? null : connector.address());
    }

    /** Attaches the rank, and publishes where it is. */
    static VerbsLink attach(Wireup wireup, LinkOptions options) {
        try {
            VerbsOptions verbs = VerbsOptions.fromSystemProperties();
            Sizes sizes = Sizes.of(options, verbs, wireup.size());
            Attachment attachment = Attachment.open(verbs, sizes, wireup.size());
            try {
                VerbsLink link = new VerbsLink(wireup, options, verbs, sizes, attachment);
                link.manager.start();
                return link;
            } catch (VerbsException | RuntimeException failed) {
                attachment.close();
                throw failed;
            }
        } catch (VerbsException | IllegalStateException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use verbs: " + failed.getMessage(), failed);
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

    /** What has moved so far, for tests and reports. */
    Transfers transfers() {
        return transfers;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LinkCapabilities capabilities() {
        return capabilities;
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
            Loopback own = new Loopback(this, sizes.maximumFrame(), 2 * sizes.ringBytes(), options.concurrentClaims());
            loopback = own;
            channel = own;
        } else {
            directory.address(peer); // here, where the caller may wait for the wire-up
            Connection connection = connectionTo(peer);
            channel = new VerbsChannel(this, connection, sizes.maximumFrame());
            manager.connect(connection);
        }
        channels.set(peer, channel);
        return channel;
    }

    void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    /** The connection to a peer, however far it has got. */
    synchronized Connection connectionTo(int peer) {
        Connection existing = connections.get(peer);
        if (existing != null) {
            return existing;
        }
        Connection made = new Connection(this, peer, attachment, pool, sizes, options.concurrentClaims());
        if (roster.isGone(peer)) {
            made.gone();
        }
        connections.set(peer, made);
        Connection[] grown = Arrays.copyOf(polled, polled.length + 1);
        grown[polled.length] = made;
        polled = grown;
        return made;
    }

    @Nullable
    Connection connection(int peer) {
        return peer < connections.length() ? connections.get(peer) : null;
    }

    Connection[] connections() {
        return polled;
    }

    @Nullable
    Connection connectionOf(int queuePair) {
        return Arrays.stream(polled)
                .filter(each -> each.has(queuePair))
                .findFirst()
                .orElse(null);
    }

    @Nullable
    Connection connectionAt(long address) {
        return Arrays.stream(polled)
                .filter(each -> each.isAt(address))
                .findFirst()
                .orElse(null);
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
        for (Connection each : polled) {
            handled += each.deliver(handler, transfers, limit);
            each.giveCredits();
            if (each.isBlocked()) {
                each.flush();
            }
        }
        transfers.progress(harvest);
        return roster.pending.get() > 0 ? handled + reportDepartures(handler) : handled;
    }

    private int reportDepartures(FrameHandler handler) {
        int handled = 0;
        for (Roster.Departure departure : roster.unreported()) {
            Connection connection = connectionTo(departure.peer());
            if (mayReport(connection, departure)) {
                handled += report(connection, departure, handler);
            }
        }
        return handled;
    }

    /** Whether nothing more will come of a peer. */
    private boolean mayReport(Connection connection, Roster.Departure departure) {
        long messages = departure.messages();
        boolean complete = connection.pair() == null || (messages >= 0 && connection.received() >= messages);
        if (complete || (messages >= 0 && System.nanoTime() - departure.since() < LAST_MESSAGES_NANOS)) {
            return complete;
        }
        while (harvest.take() > 0) {
            // what has come before it was lost
        }
        return true;
    }

    private int report(Connection connection, Roster.Departure departure, FrameHandler handler) {
        int handled = 0;
        while (connection.hasInbound()) {
            int last = connection.deliver(handler, transfers, Integer.MAX_VALUE);
            handled += last;
            if (last == 0 && connection.hasInbound()) {
                break; // what cannot be understood is not waited for
            }
        }
        transfers.progress(harvest);
        roster.report(departure.peer());
        boolean connected = connection.pair() != null;
        harvest.exclude(connection::destroy); // from here on the adapter touches no memory for it
        if (connected) {
            manager.forget(connection);
        }
        harvest.abandon(connection, departure.reason());
        transfers.lose(connection, departure.reason(), harvest);
        handler.onPeerLost(departure.peer(), departure.reason());
        return handled + 1;
    }

    /** Once in a while, on the manager's thread: a rank that has stopped may have nobody left who polls. */
    void tick() {
        if (stopped && !saidGoodbye) {
            poll(Discarding.INSTANCE, DRAIN_LIMIT);
            finish();
        }
    }

    // ---- regions

    @Override
    public Region register(MemorySegment memory) {
        return regions.add(memory);
    }

    @Override
    public void get(int peer, long key, long remoteOffset, MemorySegment local, TransferCompletion completion) {
        transfer(true, peer, key, remoteOffset, local, completion);
    }

    @Override
    public void put(int peer, long key, long remoteOffset, MemorySegment local, TransferCompletion completion) {
        transfer(false, peer, key, remoteOffset, local, completion);
    }

    private void transfer(
            boolean inward, int peer, long key, long remoteOffset, MemorySegment local, TransferCompletion completion) {
        if (peer == rank) {
            transferHere(inward, key, remoteOffset, local, completion);
            return;
        }
        connect(peer);
        Connection connection = connectionTo(peer);
        if (connection.state() == Connection.State.GONE || stopped) {
            completion.completed(new CommunicationException("rank " + rank + " cannot reach the memory of rank " + peer
                    + ": " + (stopped ? "this rank has left the job itself" : "rank " + peer + " is gone")));
            return;
        }
        transfers.begin(new Transfer(transfers, connection, rank, inward, key, remoteOffset, local, completion));
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

    private void transferHere(
            boolean inward, long key, long remoteOffset, MemorySegment local, TransferCompletion completion) {
        MemorySegment part = regions.find(key, remoteOffset, local.byteSize());
        CommunicationException failure = null;
        if (part == null) {
            failure = new CommunicationException("rank " + rank + " has no registered memory of " + local.byteSize()
                    + " bytes at offset " + remoteOffset + " under key " + key);
        } else {
            try {
                MemorySegment.copy(inward ? part : local, 0, inward ? local : part, 0, local.byteSize());
            } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
                failure = new CommunicationException(
                        "rank " + rank + " could not copy " + local.byteSize() + " bytes within its memory: "
                                + inaccessible.getMessage(),
                        inaccessible);
            }
        }
        completion.completed(failure);
    }

    @Override
    public boolean assist() {
        return false; // peers need no help but polling
    }

    // ---- waiting

    @Override
    public void prepareAwait() {
        try {
            waiter.prepare();
        } catch (VerbsException broken) {
            fatal(String.valueOf(broken.getMessage()));
        }
    }

    @Override
    public void await(long nanos) {
        waiter.await(nanos);
    }

    @Override
    public void cancelAwait() {
        waiter.cancel();
    }

    @Override
    public void wakeUp() {
        waiter.wakeUp();
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
        for (Connection each : polled) {
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
        long deadline = System.nanoTime() + nanos;
        while (true) {
            if (closed || isDrained()) {
                return true;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            prepareAwait();
            if (isDrained()) {
                waiter.cancel();
            } else {
                waiter.await(Math.min(left, DRAIN_SLICE_NANOS));
            }
        }
    }

    private boolean isDrained() {
        poll(Discarding.INSTANCE, DRAIN_LIMIT);
        if (!stopped) {
            return Arrays.stream(polled).allMatch(Connection::isAcknowledged);
        }
        finish();
        return manager.hasLeft() && Arrays.stream(polled).allMatch(Connection::isAcknowledged) && manager.isDrained();
    }

    @Override
    public void close() {
        stop();
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        poll(Discarding.INSTANCE, DRAIN_LIMIT);
        manager.close(); // without a lock: the manager may be waiting for one
        polling.lock();
        try {
            harvest.exclude(() -> {
                closed = true;
                for (Connection each : polled) {
                    each.destroy();
                }
            });
            for (Connection each : polled) {
                harvest.abandon(each, "this rank has left the job itself");
            }
            transfers.close("this rank has left the job itself", harvest);
        } finally {
            polling.unlock();
        }
        attachment.close();
    }

    /** Takes what nobody is interested in any more. */
    private enum Discarding implements FrameHandler {
        INSTANCE;

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            // this rank has left
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            // and does not care who else does
        }
    }
}
