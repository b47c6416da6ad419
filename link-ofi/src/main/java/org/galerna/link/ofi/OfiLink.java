package org.galerna.link.ofi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.ofi.adapter.ProviderChoice;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.adapter.Sizes;
import org.galerna.link.ofi.connecting.ConnectionManager;
import org.galerna.link.ofi.connecting.Directory;
import org.galerna.link.ofi.connection.ConnectionListener;
import org.galerna.link.ofi.connection.Operations;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.Peers;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ManagedLink;
import org.galerna.link.transfer.TransferPeer;
import org.galerna.link.transfer.TransferRma;
import org.galerna.link.transfer.Transfers;
import org.galerna.link.wireup.ControlWireup;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiLibrary;

/**
 * The attachment of a rank to a network by a provider of libfabric. Frames travel in messages from one endpoint for reliable
 * datagrams to another; the {@link Engine} makes progress, the {@link ConnectionManager} knows who is there, and the {@link
 * Transfers} move what is large.
 */
final class OfiLink extends ManagedLink implements ConnectionListener, ConnectionManager.Owner, TransferRma.Owner {
    static final String NAME = "ofi";

    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkTraits traits;
    private final Engine engine;
    private final Transfers transfers;
    private final TransferRma rma;
    private final Directory directory;
    private final LinkWaiter waiter;
    private final ConnectionManager manager;
    private final Peers peers;
    private final OfiRounds rounds;

    private OfiLink(Wireup wireup, LinkOptions options, OfiOptions ofi, OfiEndpoint endpoint) throws IOException {
        super(wireup.rank(), wireup.size());
        String name = "galerna-ofi-" + rank;
        this.options = options;
        this.sizes = Sizes.of(options, wireup.size(), endpoint.receives(), endpoint.mostBytes());
        this.traits = new LinkTraits(
                sizes.maximumFrame(),
                Math.clamp((long) endpoint.injectBytes() - Frames.HEADER_BYTES, 0, sizes.maximumFrame()),
                LinkTraits.USUAL_EAGER_LIMIT,
                true);
        this.engine = new Engine(endpoint, sizes.receives(), this::loseSomebody, this::fatal);
        ReceiveBuffers buffers = new ReceiveBuffers(engine, sizes, this::arrived);
        Operations operations = new Operations(engine, ofi);
        this.transfers = new Transfers(operations, engine::register, ofi.cachedRegions(), false, wireup);
        this.rma = new TransferRma(rank, wireup.size(), this, transfers);
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory = Directory.publish(own, endpoint.provider().name(), endpoint.address());
        this.peers = new Peers(this, engine, operations, rank, wireup.size(), sizes, buffers, directory::address);
        this.rounds = new OfiRounds(this, this::wakeUp, engine, buffers, peers, transfers, membership);
        this.waiter = OfiWaiters.at(name, engine);
        // the last that may fail: it is the manager's to close
        this.manager = new ConnectionManager(
                name, endpoint.provider().name(), this, wireup.size(), membership, own.openLink());
    }

    /** Attaches the rank, and publishes where it is. */
    static OfiLink attach(Wireup wireup, LinkOptions options) {
        try {
            OfiOptions ofi = OfiOptions.read();
            OfiEndpoint endpoint =
                    OfiEndpoint.open(OfiLibrary.open(), ProviderChoice.of(ofi), Math.max(1, wireup.size() - 1));
            try {
                OfiLink link = new OfiLink(wireup, options, ofi, endpoint);
                link.startManager();
                return link;
            } catch (IOException | RuntimeException failed) {
                endpoint.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use libfabric: " + failed.getMessage(), failed);
        }
    }

    @Override
    public List<Peer> peers() {
        return peers.all();
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
        Peer connected = peers.reach(peer);
        try {
            connected.open(options.concurrentClaims());
        } catch (IOException refused) {
            throw new CommunicationException(
                    "rank " + rank + " has no memory for frames to rank " + peer + ": " + refused.getMessage(),
                    refused);
        }
        return new OfiChannel(this, connected, sizes.maximumFrame());
    }

    @Override
    public TransferPeer reach(int number) {
        return peers.reach(number);
    }

    @Override
    public boolean isGone(int number) {
        return !peers.to(number).isUp();
    }

    @Override
    public long received(int number) {
        return peers.received(number);
    }

    // ---- trouble

    @Override
    public void met(int peer) {
        manager.watch(peer);
    }

    @Override
    public void waitsFor(int peer) {
        manager.waitsFor(peer);
    }

    @Override
    public boolean isReached(int peer) {
        return peers.to(peer).isReached();
    }

    @Override
    public String mayBeWhy() {
        return engine.endpoint().lockedMemory();
    }

    private void loseSomebody(String reason) {
        if (!rounds.isClosed()) {
            manager.loseSomebody(reason);
        }
    }

    private void fatal(String reason) {
        if (!rounds.isClosed()) {
            manager.loseAll(reason);
        }
    }

    // ---- polling

    private void arrived(ReceiveBuffers.Slot slot) {
        peers.arrived(slot);
    }

    @Override
    public void progress() {
        rounds.progress();
    }

    @Override
    protected boolean goOn() {
        return rounds.goOnIfIdle(); // without which many a provider does not even answer a peer that wants to connect
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
    protected OfiRounds rounds() {
        return rounds;
    }

    @Override
    protected boolean isSent() {
        return peers.finish();
    }

    @Override
    protected boolean isDelivered() {
        return peers.finish(); // the manager waits for what the peers say of that
    }

    @Override
    protected void release() {
        OfiWaiters.close(waiter);
        peers.all().forEach(Peer::close);
        transfers.close();
        engine.close();
    }
}
