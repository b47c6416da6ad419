package org.galerna.link.ofi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.ControlWireup;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.transfer.TransferPeer;
import org.galerna.link.transfer.TransferRma;
import org.galerna.link.transfer.Transfers;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiException;
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
    private final ReceiveBuffers buffers;
    private final Operations operations;
    private final Transfers transfers;
    private final TransferRma rma;
    private final Membership membership;
    private final Directory directory;
    private final LinkWaiter waiter;
    private final ConnectionManager manager;
    private final Departures departures;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final AtomicReferenceArray<@Nullable Peer> peers; // filled inside the engine's lock
    private final List<Peer> all = new CopyOnWriteArrayList<>();
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private long served; // of the polling thread, as the next one: completions whose effects it has seen
    private boolean unfinished;
    private long ticked; // of the manager's thread: looks at completions until the last tick
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean stopped;
    private volatile boolean saidGoodbye;
    private volatile Runnable attendant = () -> {};
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

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
        this.peers = new AtomicReferenceArray<>(wireup.size());
        this.engine = new Engine(endpoint, sizes.receives(), this::loseSomebody, this::fatal);
        this.buffers = new ReceiveBuffers(engine, sizes, this::arrived);
        this.operations = new Operations(engine, ofi);
        this.transfers = new Transfers(operations, engine::register, ofi.cachedRegions(), false, wireup.size());
        this.rma = new TransferRma(rank, wireup.size(), this, transfers);
        ControlWireup own = ControlWireup.next(wireup, NAME);
        this.directory = Directory.publish(own, endpoint.provider().name(), endpoint.address());
        this.departures = new Departures(membership, this, engine, transfers, buffers);
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
        return stopped;
    }

    @Override
    public List<Peer> peers() {
        return all;
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
            loopback = own;
            channel = own;
        } else {
            Peer connected = peer(peer);
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

    /**
     * A peer, whose address is entered. May wait for the wire-up.
     *
     * @throws CommunicationException if it cannot be reached
     */
    Peer peer(int number) {
        Peer peer = knownPeer(number);
        if (!peer.isConnected() && peer.isUp()) {
            try {
                peer.connect(directory.address(number));
            } catch (OfiException refused) {
                throw new CommunicationException(
                        "rank " + rank + " cannot reach rank " + number + ": " + refused.getMessage(), refused);
            }
        }
        return peer;
    }

    @Override
    public TransferPeer reach(int number) {
        return peer(number);
    }

    @Override
    public boolean isGone(int number) {
        return !knownPeer(number).isUp();
    }

    /** A peer, whether its address is entered or not. */
    Peer knownPeer(int number) {
        Peer known = peers.get(number);
        if (known != null) {
            return known;
        }
        engine.lock();
        try {
            return make(number);
        } finally {
            engine.unlock();
        }
    }

    private Peer make(int number) {
        Peer known = peers.get(number);
        if (known == null) {
            known = new Peer(this, engine, operations, rank, number, sizes, buffers);
            peers.set(number, known);
            all.add(known);
            manager.watch(number);
        }
        return known;
    }

    @Override
    public long received(int number) {
        Peer known = peers.get(number);
        return known == null ? 0 : known.received();
    }

    // ---- trouble

    @Override
    public void lose(int peer, String reason) {
        manager.lose(peer, reason);
    }

    private void loseSomebody(String reason) {
        if (!closed) {
            manager.loseSomebody(reason);
        }
    }

    private void fatal(String reason) {
        if (!closed) {
            manager.loseAll(reason);
        }
    }

    // ---- polling

    /** A message has come; inside the engine's lock. Whoever sends is somebody of the job only if he is one of its ranks. */
    private void arrived(ReceiveBuffers.Slot slot) {
        boolean kept = false;
        if (slot.length() >= Frames.HEADER_BYTES) {
            long header = buffers.memory().get(Frames.LONG, slot.offset());
            int sender = Word.rank(Frames.word(header));
            if (sender < peers.length() && sender != rank) {
                kept = make(sender).arrived(slot, header);
            }
        }
        if (!kept) {
            buffers.post(slot);
        }
    }

    @Override
    public void progress() {
        if (engine.progress() > 0 && inPoll != Thread.currentThread()) {
            waiter.wakeUp(); // what has come may be for somebody who sleeps and is not told again
        }
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
        engine.progress();
        long taken = engine.taken(); // by this thread or another
        if (taken != served || unfinished) {
            served = taken;
            handled += serve(handler, limit);
        }
        transfers.progress();
        return membership.pending.get() > 0 ? handled + departures.report(handler) : handled;
    }

    /** Goes through all peers, which a look that finds nothing is spared, however many there are. */
    private int serve(FrameHandler handler, int limit) {
        int handled = 0;
        boolean more = false;
        for (int index = 0, size = all.size(); index < size; index++) {
            Peer each = all.get(index);
            handled += each.deliver(handler, transfers, limit);
            if (!each.isConnected() && each.isUp()) {
                enter(each);
            }
            each.settle(buffers);
            more |= each.hasInbound() || each.owesCredits();
        }
        unfinished = more;
        return handled;
    }

    /** A peer that has spoken first is to be answered. */
    private void enter(Peer peer) {
        try {
            Peer unused = peer(peer.peer());
        } catch (CommunicationException unknown) {
            lose(peer.peer(), String.valueOf(unknown.getMessage()));
        }
    }

    /**
     * Once in a while, on the manager's thread, for a rank that does not poll: says goodbye for one that has stopped, and makes
     * progress, without which many a provider does not even answer a peer that wants to connect.
     *
     * @return whether something is under way, so that this should soon be called again
     */
    @Override
    public boolean tick() {
        if (stopped) {
            if (!saidGoodbye) {
                Draining.discard(this);
                finish();
            }
            return !saidGoodbye;
        }
        long looks = engine.looks();
        boolean idle = looks == ticked; // otherwise somebody makes progress who knows better when
        if (idle) {
            progress();
            looks = engine.looks();
        }
        ticked = looks;
        return idle && engine.isBusy();
    }

    @Override
    public void advanceTransfers() {
        if (inPoll != Thread.currentThread() && polling.tryLock()) {
            inPoll = Thread.currentThread();
            try {
                if (!closed) {
                    transfers.progress();
                }
            } finally {
                inPoll = null;
                polling.unlock();
            }
        }
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

    /** Says goodbye as soon as everything is sent. */
    private void finish() {
        if (saidGoodbye) {
            return;
        }
        boolean finished = true;
        for (Peer each : all) {
            finished &= each.finish();
        }
        if (finished) {
            saidGoodbye = true;
            manager.leave();
        }
    }

    @Override
    public boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> closed || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        if (!stopped) {
            boolean sent = true;
            for (Peer each : all) {
                sent &= each.finish();
            }
            return sent;
        }
        finish();
        return manager.isDrained();
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
            closed = true;
            engine.stop();
            all.forEach(Peer::gone);
            transfers.end("this rank has left the job itself");
        } finally {
            polling.unlock();
        }
        OfiWaiters.close(waiter);
        all.forEach(Peer::close);
        transfers.close();
        engine.close();
    }
}
