package org.galerna.link.verbs;

import java.util.Optional;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.TransferCompletion;
import org.galerna.link.Wireup;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ManagedLink;
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
import org.galerna.link.wireup.ControlWireup;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * The attachment of a rank to an adapter for InfiniBand, RoCE or iWARP. Frames travel in messages over a reliable {@link
 * Connection} to each peer that there is something to say to; all of them share one receive queue and one completion
 * queue, which the {@link CompletionPoller} empties. The {@link ConnectionManager} makes connections; the {@link Transfers} move what is large.
 */
final class VerbsLink extends ManagedLink implements ConnectionListener, ConnectionManager.Owner, TransferRma.Owner {
    static final String NAME = "verbs";

    private final String job;
    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkTraits traits;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Transfers transfers;
    private final TransferRma rma;
    private final CompletionPoller completions;
    private final Directory directory;
    private final DescriptorWaiter waiter;
    private final ConnectionManager manager;
    private final Connections connections;
    private final VerbsRounds rounds;

    private VerbsLink(Wireup wireup, LinkOptions options, VerbsOptions verbs, Sizes sizes, Attachment attachment)
            throws VerbsException {
        super(wireup.rank(), wireup.size());
        String name = "galerna-verbs-" + rank;
        this.job = wireup.job();
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
        this.connections = new Connections(wireup.size(), this::newConnection);
        this.completions = new CompletionPoller(this, attachment, pool, connections);
        this.transfers = attachment.keep(new Transfers(
                new VerbsNetwork(completions, attachment.reads()),
                (address, length) -> VerbsMemory.register(attachment.domain(), address, length),
                verbs.cachedRegions(),
                verbs.rendezvous() == VerbsOptions.Rendezvous.WRITE,
                wireup));
        this.rma = new TransferRma(rank, wireup.size(), this, transfers);
        this.waiter = attachment.keep(new DescriptorWaiter(name, new CompletionSource(attachment, this::fatal)));
        CmConnector connector = CmConnector.openIfWanted(attachment, verbs.connect());
        DescriptorWait eventWait = attachment.keep(
                CmEvents.descriptors(attachment.adapter(), connector == null ? null : connector.events()));
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory =
                Directory.publish(own, PeerAddress.of(attachment, connector == null ? null : connector.address()));
        // the last that may fail: it is the manager's to close
        this.manager = new ConnectionManager(
                name,
                this,
                rank,
                connections,
                attachment,
                directory,
                membership,
                new QueuePairSetup(attachment, sizes, flushTarget),
                own.openLink(),
                connector,
                eventWait);
        this.rounds = new VerbsRounds(connections, completions, transfers, membership, manager);
    }

    /** Attaches the rank, and publishes where it is. */
    static VerbsLink attach(Wireup wireup, LinkOptions options) {
        try {
            VerbsOptions verbs = VerbsOptions.of(wireup.rank());
            Sizes sizes = Sizes.of(options, verbs, wireup.size());
            Attachment attachment = Attachment.open(verbs, sizes, wireup.size());
            try {
                VerbsLink link = new VerbsLink(wireup, options, verbs, sizes, attachment);
                link.startManager();
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
    protected Channel newChannel(int peer) {
        if (peer == rank) {
            return loopback(traits, 2 * sizes.ringBytes(), options);
        }
        directory.address(peer); // here, where the caller may wait for the wire-up
        Connection connection = connections.to(peer);
        Channel channel = new VerbsChannel(this, connection, completions, sizes.maximumFrame());
        manager.connect(connection);
        return channel;
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
    public void madeUp(int peer, int trials) {
        FlightEvents.connectionMade(rank, peer, job, NAME, trials);
        if (trials > 1) {
            RankCounters.count(job, rank, RankCounters.RECONNECTIONS);
        }
        wakeUp();
    }

    @Override
    public void fatal(String reason) {
        if (!rounds.isClosed()) {
            manager.loseAll(reason);
        }
    }

    @Override
    protected boolean goOn() {
        return rounds.goOnIfIdle();
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

    // ---- closing

    @Override
    protected ConnectionManager manager() {
        return manager;
    }

    @Override
    protected VerbsRounds rounds() {
        return rounds;
    }

    @Override
    protected boolean isSent() {
        boolean finished = true;
        for (Connection each : connections.all()) {
            finished &= each.sends().finish();
        }
        return finished;
    }

    /** Has it reported, since nobody has asked for that of the last sends. */
    @Override
    protected boolean isDelivered() {
        boolean all = true;
        for (Connection each : connections.all()) {
            each.sends().reclaim();
            all &= each.sends().isAcknowledged();
        }
        return all;
    }

    @Override
    protected void release() {
        attachment.close();
    }
}
