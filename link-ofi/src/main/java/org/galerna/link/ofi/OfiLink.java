package org.galerna.link.ofi;

import java.io.IOException;
import java.util.List;
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
import org.galerna.link.support.ControlWireup;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.LinkLife;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.TransferPeer;
import org.galerna.link.transfer.TransferRma;
import org.galerna.link.transfer.Transfers;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank to a network by a provider of libfabric. Frames travel in messages from one endpoint for reliable
 * datagrams to another; the {@link Engine} makes progress, the {@link ConnectionManager} knows who is there, and the {@link
 * Transfers} move what is large.
 */
final class OfiLink implements Link, ConnectionListener, ConnectionManager.Owner, TransferRma.Owner {
    static final String NAME = "ofi";

    private static final String CONTROL = "tcp";
    private static final int LOOPBACK_SLOTS = 256;

    private final int rank;
    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkTraits traits;
    private final Engine engine;
    private final Transfers transfers;
    private final TransferRma rma;
    private final Membership membership;
    private final Directory directory;
    private final LinkWaiter waiter;
    private final ConnectionManager manager;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final Peers peers;
    private final Rounds rounds;
    private final LinkLife life = new LinkLife();
    private volatile Runnable attendant = () -> {};

    private OfiLink(Wireup wireup, LinkOptions options, OfiOptions ofi, OfiEndpoint endpoint) throws IOException {
        String name = "galerna-ofi-" + wireup.rank();
        this.rank = wireup.rank();
        this.options = options;
        this.sizes = Sizes.of(options, wireup.size(), endpoint.receives(), endpoint.mostBytes());
        this.traits = new LinkTraits(
                sizes.maximumFrame(),
                Math.clamp((long) endpoint.injectBytes() - Frames.HEADER_BYTES, 0, sizes.maximumFrame()),
                LinkTraits.USUAL_EAGER_LIMIT,
                true);
        this.membership = new Membership(rank, wireup.size());
        this.channels = new AtomicReferenceArray<>(wireup.size());
        this.engine = new Engine(endpoint, sizes.receives(), this::loseSomebody, this::fatal);
        ReceiveBuffers buffers = new ReceiveBuffers(engine, sizes, this::arrived);
        Operations operations = new Operations(engine, ofi);
        this.transfers = new Transfers(operations, engine::register, ofi.cachedRegions(), false, wireup.size());
        this.rma = new TransferRma(rank, wireup.size(), this, transfers);
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory = Directory.publish(own, endpoint.provider().name(), endpoint.address());
        this.peers = new Peers(this, engine, operations, rank, wireup.size(), sizes, buffers, directory::address);
        this.rounds = new Rounds(this, this::wakeUp, engine, buffers, peers, transfers, membership);
        this.waiter = OfiWaiters.at(name, engine);
        // the last that may fail: it is the manager's to close
        Link control = LinkProvider.named(CONTROL).open(own, LinkOptions.DEFAULT);
        this.manager = new ConnectionManager(name, this, wireup.size(), membership, control);
    }

    /** Attaches the rank, and publishes where it is. */
    static OfiLink attach(Wireup wireup, LinkOptions options) {
        try {
            OfiOptions ofi = OfiOptions.read();
            OfiEndpoint endpoint =
                    OfiEndpoint.open(OfiLibrary.open(), ProviderChoice.of(ofi), Math.max(1, wireup.size() - 1));
            try {
                return new OfiLink(wireup, options, ofi, endpoint).start();
            } catch (IOException | RuntimeException failed) {
                endpoint.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use libfabric: " + failed.getMessage(), failed);
        }
    }

    private OfiLink start() {
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

    @Override
    public boolean isStopped() {
        return life.isStopped();
    }

    @Override
    public List<Peer> peers() {
        return peers.all();
    }

    /** What has moved so far, for tests and reports. */
    Transfers transfers() {
        return transfers;
    }

    /** The provider in use, for tests and reports. */
    Engine engine() {
        return engine;
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
            Peer connected = peers.reach(peer);
            try {
                connected.open(options.concurrentClaims());
            } catch (IOException refused) {
                throw new CommunicationException(
                        "rank " + rank + " has no memory for frames to rank " + peer + ": " + refused.getMessage(),
                        refused);
            }
            channel = new OfiChannel(this, connected, sizes.maximumFrame());
        }
        channels.set(peer, channel);
        return channel;
    }

    void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
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
    public void lose(int peer, String reason) {
        manager.lose(peer, reason);
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
    public int poll(FrameHandler handler, int limit) {
        return rounds.poll(handler, limit);
    }

    /**
     * Once in a while, on the manager's thread, for a rank that does not poll: says goodbye for one that has stopped, and makes
     * progress, without which many a provider does not even answer a peer that wants to connect.
     *
     * @return whether something is under way, so that this should soon be called again
     */
    @Override
    public boolean tick() {
        if (!life.isStopped()) {
            return rounds.progressIfIdle();
        }
        if (life.owesGoodbye()) {
            Draining.discard(this);
            finish();
        }
        return life.owesGoodbye();
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
        if (peer != rank && !life.isStopped() && !membership.isGone(peer)) {
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
        if (life.owesGoodbye() && peers.finish() && life.sayGoodbye()) {
            manager.leave();
        }
    }

    @Override
    public boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> rounds.isClosed() || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        if (!life.isStopped()) {
            return peers.finish();
        }
        finish();
        return manager.isDrained();
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
        OfiWaiters.close(waiter);
        peers.all().forEach(Peer::close);
        transfers.close();
        engine.close();
    }
}
