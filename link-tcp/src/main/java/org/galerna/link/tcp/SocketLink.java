package org.galerna.link.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Footprint;
import org.galerna.link.Footprint.Amounts;
import org.galerna.link.Footprint.Range;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.link.LinkWaiter;
import org.galerna.link.Wireup;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.support.Draining;
import org.galerna.link.support.LeaderWaiter;
import org.galerna.link.support.LinkBase;
import org.galerna.link.support.Loopback;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.connecting.ConnectionLimit;
import org.galerna.link.tcp.connecting.ConnectionManager;
import org.galerna.link.tcp.connecting.Liveness;
import org.galerna.link.tcp.connecting.ManagerContext;
import org.galerna.link.tcp.connecting.ManagerThread;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.connecting.Refusals;
import org.galerna.link.tcp.connecting.Timing;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Directory;
import org.galerna.link.tcp.network.Network;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.LinkBuffers;
import org.galerna.link.tcp.stream.Outbound;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.tcp.wire.Wire;

/**
 * The attachment of a rank to a network of sockets. Frames are written and read by the threads that flush and poll;
 * connections are opened by the {@link ConnectionManager}; who is there is the {@link Membership}'s business.
 */
final class SocketLink extends LinkBase {
    /** Fetching costs two more ways through the system, and saves no copy: the bytes pass a buffer in any case. */
    private static final int EAGER_LIMIT = 128 * 1024;

    /** Files of a selector, on Linux. */
    private static final int SELECTOR_FILES = 2;

    private final SocketKind kind;
    private final Wireup wireup;
    private final Network network;
    private final LinkOptions options;
    private final Sizes sizes;
    private final LinkTraits traits;
    private final Network.Listening listening;
    private final Directory directory;
    private final Membership membership;
    private final ConnectionManager manager;
    private final Waiter waiter;
    private final Rounds rounds;
    private final Liveness liveness;
    private final Refusals refusals;
    private final LinkBuffers buffers;
    private final ConnectionLimit limit;
    private final Departures departures;
    private final RegionTable regions = new RegionTable();
    private final SocketRma rma;
    private volatile boolean knowsHosts;

    private SocketLink(
            SocketKind kind, Network network, Network.Listening listening, Wireup wireup, LinkOptions options)
            throws IOException {
        super(wireup.rank(), wireup.size());
        String name = "galerna-" + kind.linkName() + "-" + rank;
        this.kind = kind;
        this.wireup = wireup;
        this.options = options;
        this.sizes = Sizes.of(options, wireup.size());
        this.traits = new LinkTraits(sizes.maximumFrame(), 0, Math.min(EAGER_LIMIT, sizes.maximumFrame()), true);
        this.buffers = new LinkBuffers(
                sizes.ringBytes(), options.concurrentClaims(), () -> count(RankCounters.STAGING_ALLOCATIONS));
        Security security = kind.security();
        Timing timing = Timing.fromSystemProperties().withPatience(security.patience());
        this.network = network;
        this.listening = listening;
        this.directory = Directory.publish(
                wireup, kind.linkName(), network, listening.address().protectedBy(security));
        this.limit = new ConnectionLimit(options.concurrentClaims() || network.isForPair());
        this.membership = new Membership(
                rank, wireup.size(), peer -> peer < rank || network.isCalledBy(peer), this::connectionTo);
        this.rma = new SocketRma(this, rank, wireup.size(), regions, membership);
        this.waiter = new Waiter(name, membership::connected);
        this.refusals = new Refusals(name, network.isForPair());
        try {
            ManagerContext context = new ManagerContext(
                    name,
                    rank,
                    wireup.size(),
                    network,
                    security,
                    directory,
                    membership,
                    timing,
                    refusals,
                    limit,
                    new News(),
                    ManagerThread.common());
            this.manager = new ConnectionManager(context, listening);
        } catch (IOException failed) {
            waiter.close();
            throw failed;
        }
        this.departures = new Departures(wireup, directory, membership, manager, network.isForPair(), this::wakeUp);
        this.rounds = new Rounds(membership, limit, departures::onLost);
        this.liveness = new Liveness(
                wireup, membership, timing, departures::onLost, departures::onSuspected, directory::knows, this::call);
    }

    private void count(String figure) {
        RankCounters.count(wireup.job(), rank, figure);
    }

    static SocketLink open(SocketKind kind, Wireup wireup, LinkOptions options) {
        Network network = kind.network().within(wireup);
        try {
            Network.Listening listening = network.listen(wireup);
            try {
                SocketLink link = new SocketLink(kind, network, listening, wireup, options);
                link.manager.start();
                link.departures.strangers().begin();
                return link;
            } catch (IOException | RuntimeException failed) {
                listening.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw new CommunicationException(
                    "rank " + wireup.rank() + " cannot listen for its peers: " + failed.getMessage(), failed);
        }
    }

    private Connection connectionTo(int peer) {
        return new Connection(
                rank,
                peer,
                size(),
                regions,
                lost -> departures.onHearsay(lost),
                new Outbound.Events() {
                    @Override
                    public void onFull() {
                        waiter.watchForRoom();
                    }

                    @Override
                    public void onUnusable(String reason) {
                        departures.onLost(peer, reason);
                    }

                    @Override
                    public void onLeft(Wire left) {
                        membership.left(peer);
                        membership.connection(peer).end(left);
                        onRoom();
                    }

                    @Override
                    public void onWireWanted() {
                        call(peer);
                    }
                },
                () -> {
                    membership.read(peer);
                    onRoom();
                    membership
                            .connection(peer)
                            .out()
                            .flush(); // an earlier call for what waits may have come to nothing
                },
                buffers);
    }

    private void onRoom() {
        wakeUp(); // sleepers have other wires to look at now
        if (rounds.isRoomWanted()) {
            manager.makeUseOfRoom();
        }
    }

    private void call(int peer) {
        if (membership.call(peer)) {
            manager.call(peer, Hello.CONNECT, 0);
        }
    }

    @Override
    public String toString() {
        return name() + " of " + membership;
    }

    /** What it knows of its peers. */
    Membership membership() {
        return membership;
    }

    /** What opens its connections. */
    ConnectionManager manager() {
        return manager;
    }

    /** Where this rank listens, or has listened before it knew that all ranks are on this host. */
    List<String> sockets() {
        return listening.address().sockets();
    }

    /** Connections that were refused. */
    Refusals refusals() {
        return refusals;
    }

    @Override
    public String name() {
        return kind.linkName();
    }

    @Override
    public LinkTraits traits() {
        return traits;
    }

    /** {@inheritDoc} Two ranks have two connections at most, while one takes the place of the other. */
    @Override
    public Optional<Footprint> footprint(int peers) {
        long connections = Math.min(2L * peers, (long) limit.mostAdmitted() + ConnectionLimit.LEAST);
        long others = (long) listening.listeners().size() + SELECTOR_FILES;
        return Optional.of(new Footprint(
                new Amounts(
                        Range.upTo(buffers.mostBytes(connections)),
                        new Range(others, others + connections),
                        Range.upTo(LeaderWaiter.MOST_THREADS + kind.threadsOfConnection() * connections),
                        Range.NOTHING),
                new Amounts(
                        Range.NOTHING,
                        Range.exactly(SELECTOR_FILES),
                        Range.exactly(ManagerThread.THREADS),
                        Range.NOTHING),
                Amounts.NOTHING));
    }

    @Override
    public Optional<String> unreachable(int peer) {
        if (peer == rank) {
            return Optional.empty();
        }
        Optional<String> reason = directory.unreachable(peer);
        lookAtHosts();
        // in a pair it is the peer that comes, most likely
        return reason.isEmpty() && network.isForPair() && !membership.isConnected(peer) ? refusals.last() : reason;
    }

    @Override
    public boolean reachesAll() {
        boolean all = directory.reachesAll();
        if (all) {
            lookAtHosts();
        }
        return all;
    }

    /** Once all addresses are published: where all ranks are on this host, nobody needs to come from elsewhere. */
    private void lookAtHosts() {
        if (!knowsHosts) {
            knowsHosts = true;
            try {
                if (directory.isOneHost()) {
                    manager.keepToThisHost();
                }
            } catch (CommunicationException unknown) {
                // a rank that does not use this link may be anywhere
            }
        }
    }

    // ---- connecting

    @Override
    protected Channel newChannel(int peer) {
        if (peer == rank) {
            Loopback own = new Loopback(
                    rank,
                    sizes.maximumFrame(),
                    sizes.slots(),
                    sizes.ringBytes(),
                    options.concurrentClaims(),
                    this::wakeUp,
                    this::forget);
            rounds.add(own);
            return own;
        }
        directory.address(peer); // here, where the caller may wait for the wire-up
        directory.proof();
        lookAtHosts();
        Channel channel = new PeerChannel(this, membership.connection(peer), sizes.maximumFrame());
        call(peer);
        return channel;
    }

    /** What the manager's thread tells. */
    private final class News implements ManagerContext.Events {
        @Override
        public void onConnected(int peer, SocketChannel channel, Wire wire) {
            Connection connection = membership.connection(peer);
            try {
                network.use(channel);
                connection.connect(wire.continueOn(kind.wire(channel, SocketLink.this::wakeUp)));
            } catch (IOException broken) {
                departures.onLost(peer, "the connection to it is broken: " + broken.getMessage());
                return;
            }
            int number = membership.nextWire(peer);
            FlightEvents.connectionMade(rank, peer, wireup.job(), kind.linkName(), number);
            if (number > 1) {
                count(RankCounters.RECONNECTIONS);
            }
            if (membership.isStopped()) {
                connection.out().sayGoodbye();
            }
        }

        @Override
        public void onLost(int peer, String reason) {
            departures.onLost(peer, reason);
        }

        @Override
        public void onSuspected(int peer, long nanos) {
            departures.onSuspected(peer, nanos);
        }

        @Override
        public void onTold(int peer, int purpose, int subject, boolean reached) {
            departures.told(peer, purpose, subject, reached);
        }

        @Override
        public void onNewsOf(Hello hello) {
            departures.hearCall(hello);
        }

        @Override
        public void onRoomWanted() {
            rounds.makeRoom();
            wakeUp();
        }

        @Override
        public void onNews() {
            wakeUp();
        }

        @Override
        public void onRouse() {
            roused();
        }

        @Override
        public void onPulse() {
            liveness.pulse();
            if (!options.concurrentClaims()) {
                rounds.review();
            }
        }
    }

    // ---- polling

    @Override
    public int poll(FrameHandler handler, int limit) {
        return rounds.poll(handler, limit);
    }

    // ---- transfers and waiting

    @Override
    public SocketRma rma() {
        return rma;
    }

    @Override
    public LinkWaiter waiter() {
        return waiter;
    }

    @Override
    public void rouse(int peer) {
        if (membership.isConnected(peer)) { // otherwise it has nothing to look at
            manager.call(peer, Hello.ROUSE, 0);
        }
    }

    // ---- life

    @Override
    public void stop() {
        if (beginToLeave()) {
            departures.sayGoodbyeToStrangers();
        }
    }

    /**
     * Lets nobody in any more, and says goodbye to those that there are connections to. For strangers to hear that this rank
     * leaves, it stops and drains before it is closed.
     */
    @Override
    protected void leave() {
        departures.leave();
    }

    @Override
    public boolean drain(long nanos) {
        return Draining.await(this, nanos, () -> life.isClosed() || isDrained());
    }

    private boolean isDrained() {
        Draining.discard(this);
        return departures.isDrained();
    }

    @Override
    protected void end() {
        Draining.discard(this); // what is left unread would make the system cut the connection off
        departures.strangers().end();
        limit.release();
        manager.close();
        for (Connection each : membership.connected()) {
            each.transfers().fail("this rank has left the job itself");
            each.disconnect();
        }
        waiter.close();
        rounds.close();
    }
}
