package org.galerna.link.ucx;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Rma;
import org.galerna.link.Wireup;
import org.galerna.link.support.DescriptorWaiter;
import org.galerna.link.support.Draining;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ManagedLink;
import org.galerna.link.support.SendRing;
import org.galerna.link.wireup.ControlWireup;
import org.galerna.link.wireup.LongValues;
import org.galerna.nativeaccess.ucx.UcxException;

/**
 * The attachment of a rank to UCX. Frames travel in active messages, in the order of their numbers; what is large by UCX's get
 * and put. The control link says who is there, rouses peers, and carries what lies in arrays.
 *
 * <p>UCX's worker has a lock, under which all calls of UCX are made. What has come under it is moved to the peers by the
 * polling thread alone, which hands it out without that lock.
 */
final class UcxLink extends ManagedLink {
    static final String NAME = "ucx";

    private static final String ADDRESS = "address";
    private static final int LOOKS = 100;
    private static final long GOODBYE_NANOS = 500_000_000L;

    private final LinkOptions options;
    private final int ringBytes;
    private final LinkTraits traits;
    private final Worker worker;
    private final ControlWireup wireup;
    private final Link control;
    private final ConnectionManager manager;
    private final UcxRounds rounds;
    private final DescriptorWaiter waiter;
    private final UcxRma rma;
    private final List<Peer> peers;
    private volatile boolean armed; // racy: a sleeper that reads a wrong one looks once more, or sleeps a slice

    private UcxLink(Wireup wireup, LinkOptions options, Worker worker) throws UcxException {
        super(wireup.rank(), wireup.size());
        int size = wireup.size();
        String name = "galerna-ucx-" + rank;
        this.options = options;
        this.ringBytes = options.frameBytes() != 0
                ? options.frameBytes()
                : size <= 8 ? 256 * 1024 : size <= 32 ? 64 * 1024 : 32 * 1024;
        int longest = Math.min(Worker.MESSAGE_BYTES, ringBytes / 8 * 3 & -8);
        this.traits = new LinkTraits(longest - Frames.HEADER_BYTES, 2 * Long.BYTES, LinkTraits.USUAL_EAGER_LIMIT, true);
        this.worker = worker;
        this.peers = IntStream.range(0, size)
                .mapToObj(peer -> new Peer(peer, rank, worker))
                .toList();
        this.wireup = ControlWireup.next(wireup, NAME);
        LongValues.put(this.wireup, ADDRESS, worker.ucx.address());
        this.waiter = new DescriptorWaiter(name, new Events());
        this.control = this.wireup.openLink();
        this.manager = new ConnectionManager(name, this, membership, control);
        this.rounds = new UcxRounds(worker, peers, membership, manager, this::wakeUp);
        this.rma = new UcxRma(this, worker, control.rma(), size);
    }

    /** Attaches the rank, and publishes where it is. */
    static UcxLink attach(Wireup wireup, LinkOptions options) {
        try {
            Worker worker = Worker.open(wireup.size());
            try {
                UcxLink link = new UcxLink(wireup, options, worker);
                link.startManager();
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

    List<Peer> peers() {
        return peers;
    }

    Peer peer(int of) {
        return peers.get(of);
    }

    // ---- connecting

    @Override
    protected Channel newChannel(int peer) {
        return peer == rank
                ? loopback(traits, 2 * ringBytes, options)
                : new UcxChannel(this, peers.get(peer), join(peers.get(peer)));
    }

    /**
     * The way to a peer, made if there is none; of one that is gone, or that UCX does not reach, a ring that leads nowhere. May wait
     * for the wire-up.
     */
    private SendRing join(Peer peer) {
        byte[] address = LongValues.get(wireup, peer.rank, ADDRESS);
        worker.lock.lock();
        try {
            SendRing known = peer.ring();
            if (known != null) {
                return known;
            }
            SendRing made = new SendRing(ringBytes, options.concurrentClaims());
            if (!peer.isGone() && !rounds.isClosed()) {
                try {
                    peer.connected(made, worker.ucx.connect(address, peer.rank, true));
                } catch (UcxException unreachable) { // it may have left, which the control link tells before long
                    manager.lose(peer.rank, "UCX does not reach it: " + unreachable.getMessage());
                }
            }
            return made;
        } finally {
            worker.lock.unlock();
        }
    }

    /** Sends what is committed to a peer. */
    void push(Peer peer, boolean progress) {
        rounds.push(peer, progress);
    }

    /** A peer's program has taken so many messages. The manager's thread. */
    void taken(int peer, long messages) {
        if (rounds.taken(peers.get(peer), messages)) {
            wakeUp(); // somebody may sleep until there is room
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

    /** Has a completion called by the polling thread. */
    void complete(Runnable completion) {
        rounds.complete(completion);
        wakeUp();
    }

    @Override
    protected boolean goOn() {
        return rounds.progressIfIdle();
    }

    @Override
    protected boolean goesOnAfterGoodbye() {
        return rounds.progressIfIdle();
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
                armed = rounds.isClosed() || worker.ucx.arm();
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

    // ---- closing

    @Override
    protected ConnectionManager manager() {
        return manager;
    }

    @Override
    protected UcxRounds rounds() {
        return rounds;
    }

    @Override
    protected boolean isSent() {
        boolean finished = true;
        worker.lock.lock();
        try {
            for (Peer each : peers) {
                finished &= rounds.isClosed() || each.finish();
            }
        } finally {
            worker.lock.unlock();
        }
        return finished;
    }

    @Override
    protected boolean isDelivered() {
        return isSent(); // it is sent when it is at the peers
    }

    /** Says goodbye, else peers have to find out. */
    @Override
    protected void beforeEnd() {
        boolean unused = Draining.await(this, GOODBYE_NANOS, () -> {
            finish();
            return manager.hasLeft();
        });
    }

    @Override
    protected void release() {
        rma.close();
        waiter.close();
        worker.lock.lock();
        try {
            worker.close();
        } finally {
            worker.lock.unlock();
        }
    }
}
