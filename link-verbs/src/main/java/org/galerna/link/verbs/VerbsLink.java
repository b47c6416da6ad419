package org.galerna.link.verbs;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.link.support.ControlWireup;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.LinkLife;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.TransferPeer;
import org.galerna.link.transfer.TransferRma;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.CompletionSource;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connecting.CmConnector;
import org.galerna.link.verbs.connecting.CmEvents;
import org.galerna.link.verbs.connecting.ConnectionManager;
import org.galerna.link.verbs.connecting.Directory;
import org.galerna.link.verbs.connecting.PeerAddress;
import org.galerna.link.verbs.connecting.QueuePairSetup;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.ConnectionListener;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.verbs.registered.FlushTarget;
import org.galerna.link.verbs.registered.VerbsMemory;
import org.galerna.link.verbs.transfer.Flush;
import org.galerna.link.verbs.transfer.VerbsNetwork;
import org.galerna.nativeaccess.DescriptorWait;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank to an adapter for InfiniBand, RoCE or iWARP. Frames travel in messages over a reliable {@link
 * Connection} to each peer that there is something to say to; all of them share one receive queue and one completion
 * queue, which the {@link CompletionPoller} empties. The {@link ConnectionManager} makes connections; the {@link Transfers} move what is large.
 */
final class VerbsLink implements Link, ConnectionListener, ConnectionManager.Owner, TransferRma.Owner {
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
    private final TransferRma rma;
    private final CompletionPoller completions;
    private final Membership membership;
    private final Directory directory;
    private final DescriptorWaiter waiter;
    private final ConnectionManager manager;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final Connections connections;
    private final Rounds rounds;
    private final LinkLife life = new LinkLife();
    private volatile Runnable attendant = () -> {};

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
        this.pool = attachment.keep(new ReceivePool(attachment, sizes, this::fatal));
        if (wireup.size() > 1) {
            pool.prepare();
        }
        FlushTarget flushTarget = attachment.keep(new FlushTarget(attachment.domain()));
        this.membership = new Membership(rank, wireup.size());
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.connections = new Connections(wireup.size(), this::newConnection);
        this.completions = new CompletionPoller(this, attachment, pool, connections);
        this.transfers = attachment.keep(new Transfers(
                new VerbsNetwork(completions, attachment.reads()),
                (address, length) -> VerbsMemory.register(attachment.domain(), address, length),
                verbs.cachedRegions(),
                verbs.rendezvous() == VerbsOptions.Rendezvous.WRITE,
                wireup.size()));
        this.rma = new TransferRma(rank, wireup.size(), this, transfers);
        this.waiter = attachment.keep(new DescriptorWaiter(name, new CompletionSource(attachment, this::fatal)));
        CmConnector connector = CmConnector.openIfWanted(attachment, verbs.connect());
        DescriptorWait eventWait = attachment.keep(
                CmEvents.descriptors(attachment.adapter(), connector == null ? null : connector.events()));
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory =
                Directory.publish(own, PeerAddress.of(attachment, connector == null ? null : connector.address()));
        // the last that may fail: it is the manager's to close
        Link control = LinkProvider.named(CONTROL).open(own, LinkOptions.DEFAULT);
        this.manager = new ConnectionManager(
                name,
                this,
                rank,
                connections,
                attachment,
                directory,
                membership,
                new QueuePairSetup(attachment, sizes, flushTarget),
                control,
                connector,
                eventWait);
        Departures departures = new Departures(membership, connections, completions, transfers, manager);
        this.rounds = new Rounds(connections, completions, transfers, membership, departures);
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

    @Override
    public boolean isStopped() {
        return life.isStopped();
    }

    @Override
    public TransferPeer reach(int peer) {
        Channel unused = connect(peer);
        return connections.to(peer);
    }

    @Override
    public boolean isGone(int peer) {
        return connections.to(peer).state() == Connection.State.GONE;
    }

    /** A read behind the writes, whose end says nothing of the peer's memory. */
    @Override
    public void flush(int peer, TransferCompletion completion) {
        transfers.begin(new Flush(transfers, connections.to(peer), completion));
        advanceTransfers();
    }

    /** The connections there are, for tests and reports. */
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
            rounds.add(own);
            channel = own;
        } else {
            directory.address(peer); // here, where the caller may wait for the wire-up
            Connection connection = connections.to(peer);
            channel = new VerbsChannel(connection, completions, sizes.maximumFrame(), this::isStopped, this::forget);
            manager.connect(connection);
        }
        channels.set(peer, channel);
        return channel;
    }

    private void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    private Connection newConnection(int peer) {
        Connection made = new Connection(this, rank, peer, attachment, pool, sizes, options.concurrentClaims());
        if (membership.isGone(peer)) {
            made.gone();
        }
        return made;
    }

    @Override
    public void heardOf(Connection connection) {
        manager.tell(connection::up);
    }

    // ---- trouble

    @Override
    public void madeUp() {
        wakeUp();
    }

    @Override
    public void lose(int peer, String reason) {
        manager.lose(peer, reason);
    }

    @Override
    public void fatal(String reason) {
        if (!rounds.isClosed()) {
            manager.loseAll(reason);
        }
    }

    /**
     * Once in a while, on the manager's thread, for a rank that does not poll: says goodbye for one that has stopped, and
     * sends what was left behind for want of credit.
     *
     * @return whether something was sent, so that more may follow soon
     */
    @Override
    public boolean tick() {
        if (!isStopped()) {
            return rounds.sendLeftBehind();
        }
        if (life.owesGoodbye()) {
            Draining.discard(this);
            finish();
        }
        return false;
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        return rounds.poll(handler, limit);
    }

    @Override
    public void advanceTransfers() {
        rounds.advanceTransfers();
    }

    @Override
    public TransferRma rma() {
        return rma;
    }

    // ---- waiting

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    @Override
    public void wakeUp() {
        waiter.wakeUp();
    }

    @Override
    public void attend(Runnable called) {
        attendant = called;
    }

    @Override
    public void roused() {
        attendant.run();
    }

    @Override
    public void rouse(int peer) {
        if (peer != rank && !isStopped() && !membership.isGone(peer)) {
            manager.rouse(peer);
        }
    }

    // ---- life

    @Override
    public void stop() {
        if (life.stop()) {
            finish();
        }
    }

    /** Says goodbye as soon as everything is sent. */
    private void finish() {
        if (!life.owesGoodbye()) {
            return;
        }
        boolean finished = true;
        for (Connection each : connections.all()) {
            finished &= each.sends().finish();
        }
        if (finished && life.sayGoodbye()) {
            manager.leave();
        }
    }

    @Override
    public boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> rounds.isClosed() || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        if (!isStopped()) {
            return isAcknowledged();
        }
        finish();
        // while the control link is asked whether it is drained it tells nobody who is gone
        if (life.awaitsDelivery() && manager.hasLeft() && isAcknowledged()) {
            life.delivered(); // credit that is given back later concerns nobody
        }
        return life.isDelivered() && manager.isDrained();
    }

    /** Whether all that was sent is at the peers; has it reported, since nobody has asked for that of the last sends. */
    private boolean isAcknowledged() {
        boolean all = true;
        for (Connection each : connections.all()) {
            each.sends().reclaim();
            all &= each.sends().isAcknowledged();
        }
        return all;
    }

    @Override
    public void close() {
        stop();
        if (!life.close()) {
            return;
        }
        Draining.discard(this);
        manager.close(); // without a lock: the manager may be waiting for one
        rounds.close("this rank has left the job itself");
        attachment.close();
    }
}
