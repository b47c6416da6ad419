package org.galerna.link.ucx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Rma;
import org.galerna.link.Wireup;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.ControlWireup;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.Membership;
import org.galerna.link.support.SendRing;
import org.galerna.link.wireup.LongValues;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.ucx.UcxException;
import org.jspecify.annotations.Nullable;

/**
 * The attachment of a rank to UCX. Frames travel in active messages, in the order of their numbers; what is large by UCX's get
 * and put. The control link says who is there, rouses peers, and carries what lies in arrays.
 *
 * <p>UCX's worker has a lock, under which all calls of UCX are made. What has come under it is moved to the peers by the
 * polling thread alone, which hands it out without that lock.
 */
final class UcxLink implements Link {
    static final String NAME = "ucx";

    private static final String CONTROL = "tcp";
    private static final String ADDRESS = "address";
    private static final int LOOPBACK_SLOTS = 256;
    private static final int LOOKS = 100;
    private static final long CLOSE_NANOS = 3_000_000_000L;
    private static final long GOODBYE_NANOS = 500_000_000L;

    private final int rank;
    private final LinkOptions options;
    private final int ringBytes;
    private final LinkTraits traits;
    private final Worker worker;
    private final Wireup wireup;
    private final Link control;
    private final Membership membership;
    private final Departures departures;
    private final Manager manager;
    private final DescriptorWaiter waiter;
    private final UcxRma rma;
    private final List<Peer> peers;
    private final AtomicReferenceArray<@Nullable Channel> channels;
    private final Queue<Runnable> finished = new ConcurrentLinkedQueue<>();
    private final OwnerLock polling = new OwnerLock(ProcessFence.instance());
    private final List<Arrival> done = new ArrayList<>(); // of the polling thread
    private final List<Peer> ready = new ArrayList<>(); // those that something has come of; the same
    private volatile boolean
            anyBlocked; // set under the worker's lock after a peer is, and cleared before they are looked at
    private volatile @Nullable Thread inPoll;
    private volatile @Nullable Loopback loopback;
    private volatile boolean armed; // racy: a sleeper that reads a wrong one looks once more, or sleeps a slice
    private long ticked; // of the manager's thread: looks until the last tick
    private volatile boolean stopped;
    private volatile boolean saidGoodbye;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    private UcxLink(Wireup wireup, LinkOptions options, Worker worker) throws UcxException {
        int size = wireup.size();
        String name = "galerna-ucx-" + wireup.rank();
        this.rank = wireup.rank();
        this.options = options;
        this.ringBytes = options.frameBytes() != 0
                ? options.frameBytes()
                : size <= 8 ? 256 * 1024 : size <= 32 ? 64 * 1024 : 32 * 1024;
        int longest = Math.min(Worker.MESSAGE_BYTES, ringBytes / 8 * 3 & -8);
        this.traits = new LinkTraits(longest - Frames.HEADER_BYTES, 2 * Long.BYTES, LinkTraits.USUAL_EAGER_LIMIT, true);
        this.worker = worker;
        this.membership = new Membership(rank, size);
        this.peers = IntStream.range(0, size)
                .mapToObj(peer -> new Peer(peer, rank, worker))
                .toList();
        this.channels = new AtomicReferenceArray<>(size);
        this.wireup = ControlWireup.next(wireup, NAME);
        LongValues.put(this.wireup, ADDRESS, worker.ucx.address());
        this.waiter = new DescriptorWaiter(name, new Events());
        this.control = LinkProvider.named(CONTROL).open(this.wireup, LinkOptions.DEFAULT);
        this.departures = new Departures(this, membership);
        this.manager = new Manager(name, this, membership, control);
        this.rma = new UcxRma(this, worker, control.rma(), size);
    }

    /** Attaches the rank, and publishes where it is. */
    static UcxLink attach(Wireup wireup, LinkOptions options) {
        try {
            Worker worker = Worker.open(wireup.size());
            try {
                UcxLink link = new UcxLink(wireup, options, worker);
                link.manager.start();
                return link;
            } catch (UcxException | RuntimeException failed) {
                worker.close();
                throw failed;
            }
        } catch (UcxException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot use UCX: " + failed.getMessage(), failed);
        }
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
        if (peer == rank) {
            return Optional.empty();
        }
        try {
            LongValues.get(wireup, peer, ADDRESS);
            return control.unreachable(peer);
        } catch (CommunicationException nothing) {
            return Optional.of("rank " + peer + " does not use UCX");
        }
    }

    int rank() {
        return rank;
    }

    boolean isStopped() {
        return stopped;
    }

    List<Peer> peers() {
        return peers;
    }

    Peer peer(int of) {
        return peers.get(of);
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
                    traits.maximumFrame(),
                    LOOPBACK_SLOTS,
                    2 * ringBytes,
                    options.concurrentClaims(),
                    this::wakeUp,
                    this::forget);
            loopback = own;
            channel = own;
        } else {
            channel = new UcxChannel(this, peers.get(peer), join(peers.get(peer)));
        }
        channels.set(peer, channel);
        return channel;
    }

    /** The way to a peer, made if there is none; of one that is gone a ring that leads nowhere. May wait for the wire-up. */
    private SendRing join(Peer peer) {
        byte[] address = LongValues.get(wireup, peer.rank, ADDRESS);
        worker.lock.lock();
        try {
            SendRing known = peer.ring();
            if (known != null) {
                return known;
            }
            SendRing made = new SendRing(ringBytes, options.concurrentClaims());
            if (!peer.isGone() && !closed) {
                peer.connected(made, worker.ucx.connect(address, peer.rank, true));
            }
            return made;
        } catch (UcxException unreachable) {
            throw new CommunicationException(
                    "rank " + rank + " cannot reach rank " + peer.rank + ": " + unreachable.getMessage(), unreachable);
        } finally {
            worker.lock.unlock();
        }
    }

    void forget(Channel channel) {
        channels.compareAndSet(channel.peer(), channel, null);
    }

    // ---- sending

    /** Sends what is committed to a peer. */
    void push(Peer peer, boolean progress) {
        boolean news = false;
        worker.lock.lock();
        try {
            if (!closed) {
                news = progress && !worker.isFull() && worker.progress();
                peer.push();
                if (peer.isBlocked()) {
                    anyBlocked = true;
                }
            }
        } finally {
            worker.lock.unlock();
        }
        if (news) {
            wakeUp(); // who sleeps is not told by the descriptor any more
        }
    }

    /** Sends what there was no room for. */
    private void pushBlocked() {
        anyBlocked = false;
        for (Peer each : peers) {
            if (each.isBlocked()) {
                push(each, false);
            }
        }
    }

    long sent(Peer peer) {
        worker.lock.lock();
        try {
            return peer.sent();
        } finally {
            worker.lock.unlock();
        }
    }

    // ---- polling

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
        progress();
        if (!ready.isEmpty()) {
            for (int each = 0; each < ready.size(); each++) {
                handled += deliver(ready.get(each), handler, limit);
            }
            for (int each = ready.size() - 1; each >= 0; each--) { // allocates nothing
                if (!ready.get(each).hasInbound()) {
                    ready.remove(each);
                }
            }
        }
        if (anyBlocked) {
            pushBlocked();
        }
        complete();
        while (worker.hasFailures()) {
            Worker.Failure failure = worker.nextFailure();
            if (failure != null) {
                manager.lose(failure.peer(), "the connection to it is broken: " + failure.reason());
            }
        }
        return membership.pending.get() > 0 ? handled + departures.report(handler) : handled;
    }

    /** Takes what has come, and goes on with what is under way; true if something has come. Of the polling thread. */
    boolean progress() {
        boolean news;
        worker.lock.lock();
        try {
            for (int each = 0; each < done.size(); each++) {
                worker.release(done.get(each));
            }
            done.clear();
            news = worker.progress();
            Arrival arrival;
            while ((arrival = worker.next()) != null) {
                Peer from = peers.get(Word.rank(arrival.word));
                boolean known = from.hasInbound();
                from.add(arrival);
                if (!known && from.hasInbound()) {
                    ready.add(from);
                }
            }
        } finally {
            worker.lock.unlock();
        }
        return news;
    }

    /** Hands out frames of a peer. Of the polling thread. */
    int deliver(Peer peer, FrameHandler handler, int limit) {
        try {
            return peer.deliver(handler, limit, done);
        } catch (ProtocolException wrong) {
            manager.lose(peer.rank, String.valueOf(wrong.getMessage()));
            return 0;
        }
    }

    /** Has a completion called by the polling thread. */
    void complete(Runnable completion) {
        finished.add(completion);
        wakeUp();
    }

    private void complete() {
        Runnable completion;
        while ((completion = finished.poll()) != null) {
            completion.run();
        }
    }

    /** Nothing goes to a peer any more, because it is gone; of one that has left the endpoint stays until this rank ends. */
    void disconnect(Peer peer, boolean lost) {
        worker.lock.lock();
        try {
            peer.leave();
            if (lost) {
                peer.disconnect(true);
            }
        } finally {
            worker.lock.unlock();
        }
    }

    /**
     * Once in a while, on the manager's thread, for a rank that makes no call: lets UCX go on, which connects and sends only while
     * both sides call it, and says goodbye for one that has stopped.
     *
     * @return whether more may follow soon
     */
    boolean tick() {
        if (closed) {
            return false;
        }
        if (stopped && !saidGoodbye) {
            Draining.discard(this);
            finish();
            return true;
        }
        return makeProgress();
    }

    /** Lets UCX go on unless somebody else does, and leaves what comes to those who poll; true if something is under way. */
    private boolean makeProgress() {
        if (!worker.lock.tryLock()) {
            return false;
        }
        boolean busy = false;
        boolean news = false;
        try {
            if (!closed
                    && !worker.isFull()
                    && worker.looks() == ticked) { // else somebody makes progress who knows better when
                news = worker.progress();
                busy = news || !worker.isIdle();
                for (Peer each : peers) {
                    each.push();
                    busy |= each.isBusy();
                }
            }
            ticked = worker.looks();
        } finally {
            worker.lock.unlock();
        }
        if (news) {
            wakeUp(); // who sleeps is not told by the descriptor any more
        }
        return busy;
    }

    @Override
    public Rma rma() {
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

    /** UCX's descriptor as threads sleep at it. */
    private final class Events implements DescriptorWaiter.Source {
        @Override
        public int descriptor() {
            return worker.ucx.descriptor();
        }

        /**
         * Arms the descriptor. UCX refuses that as long as it has events, and forgets them by being asked: what they stand for is
         * taken at once, and the last look of whoever is about to sleep finds it. A leader that sleeps already so stays armed.
         */
        @Override
        public void prepare() {
            worker.lock.lock();
            try {
                armed = closed || worker.ucx.arm();
                for (int look = 0; !armed && look < LOOKS; look++) {
                    worker.progress();
                    armed = worker.ucx.arm();
                }
            } finally {
                worker.lock.unlock();
            }
        }

        @Override
        public boolean maySleep() {
            return armed; // else there is something to be looked at first
        }
    }

    @Override
    public void attend(Runnable called) {
        control.attend(called);
    }

    @Override
    public void rouse(int peer) {
        if (peer != rank && !stopped && !membership.isGone(peer)) {
            control.rouse(peer);
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

    /** Says goodbye as soon as everything is sent and at the peers; true once it is said. */
    private boolean finish() {
        if (saidGoodbye) {
            return true;
        }
        boolean finished = true;
        worker.lock.lock();
        try {
            for (Peer each : peers) {
                finished &= closed || each.finish();
            }
        } finally {
            worker.lock.unlock();
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
        if (stopped) {
            return finish() && manager.hasLeft() && manager.isDrained();
        }
        boolean all = true;
        worker.lock.lock();
        try {
            for (Peer each : peers) {
                all &= each.finish();
            }
        } finally {
            worker.lock.unlock();
        }
        return all;
    }

    @Override
    public void close() {
        stop();
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        Draining.await(this, GOODBYE_NANOS, () -> finish() && manager.hasLeft()); // else peers have to find out
        Draining.discard(this);
        manager.close(); // without a lock: the manager may be waiting for one
        polling.lock();
        try {
            end();
        } finally {
            polling.unlock();
        }
        rma.close();
        waiter.close();
        worker.lock.lock();
        try {
            worker.close();
        } finally {
            worker.lock.unlock();
        }
    }

    /** Ends all ways, and what is under way on them. */
    private void end() {
        long end = System.nanoTime() + CLOSE_NANOS;
        worker.lock.lock();
        try {
            for (Peer each : peers) {
                each.leave();
                each.disconnect(false);
            }
        } finally {
            worker.lock.unlock();
        }
        boolean over = false;
        while (!over && System.nanoTime() - end < 0) {
            progress();
            worker.lock.lock();
            try {
                over = worker.isIdle();
                closed = over;
            } finally {
                worker.lock.unlock();
            }
            if (!over) {
                LockSupport.parkNanos(20_000);
            }
        }
        closed = true;
        complete();
    }
}
