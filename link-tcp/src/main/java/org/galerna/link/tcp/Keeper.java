package org.galerna.link.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.OwnLog;

/**
 * Lets peers in and calls them, whatever the rank itself is doing: it listens, shakes hands, and keeps the time, on a {@link
 * KeeperThread}. What ranks say to each other afterwards does not pass through it.
 */
final class Keeper {
    private static final Logger LOGGER = OwnLog.of("org.galerna.link.tcp");

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LEAST_PENDING = 256;

    private final String name;
    private final int rank;
    private final int size;
    private final Network network;
    private final Security security;
    private final Network.Listening listening;
    private final Directory directory;
    private final Membership membership;
    private final Timing timing;
    private final Refusals refusals;
    private final Welcome welcome;
    private final BiConsumer<Integer, String> lost;
    private final Liveness.Suspected suspected;
    private final Runnable news;
    private final Runnable roused;
    private final Pulse pulse;
    private final Queue<SocketChannel> arrivals = new ConcurrentLinkedQueue<>(); // by an entrance
    private final KeeperThread thread;
    private final Selector selector;
    private final AttentiveClock clock;

    // of the thread
    private final Set<Handshaking> pending = new LinkedHashSet<>();
    private final List<Call> calls = new ArrayList<>();
    private boolean awaitsCalls; // what is needed to answer them is known
    private int strangers;
    private boolean acceptingPaused;
    private long nextPulse;
    private boolean ended;

    /** What is to be done once in a while. */
    interface Pulse {
        void beat();
    }

    /** Takes a connection. */
    interface Welcome {
        void accept(int peer, SocketChannel channel, Wire wire);
    }

    /**
     * Not started.
     *
     * @param thread to be left by {@link #close}
     * @param welcome takes a connection that is established, with the rank of the peer
     * @param lost told of a peer that cannot be reached, and why
     * @param suspected told of a peer that does not answer, while its system has let a connection in
     * @param news told that something has changed for those who wait
     * @param roused told that a peer wants this rank to look at what has come for it
     */
    Keeper(
            String name,
            int rank,
            int size,
            Network network,
            Security security,
            Network.Listening listening,
            Directory directory,
            Membership membership,
            Timing timing,
            Refusals refusals,
            Welcome welcome,
            BiConsumer<Integer, String> lost,
            Liveness.Suspected suspected,
            Runnable news,
            Runnable roused,
            Pulse pulse,
            KeeperThread thread) {
        this.name = name;
        this.rank = rank;
        this.size = size;
        this.network = network;
        this.security = security;
        this.listening = listening;
        this.directory = directory;
        this.membership = membership;
        this.timing = timing;
        this.refusals = refusals;
        this.welcome = welcome;
        this.lost = lost;
        this.suspected = suspected;
        this.news = news;
        this.roused = roused;
        this.pulse = pulse;
        this.thread = thread;
        this.selector = thread.selector();
        this.clock = thread.clock();
    }

    void start() {
        thread.add(this);
        listening.receive(directory.name(), this::receive);
    }

    /** Opens a connection to a peer, for a purpose of {@link Hello}. */
    void call(int peer, int purpose, int subject) {
        tell(() -> begin(peer, purpose, subject));
    }

    /** Stops listening where no rank of the job can come from. */
    void keepToThisHost() {
        tell(listening::keepToThisHost);
    }

    /** Ends the calls for connections: this rank leaves. */
    void leave() {
        tell(() -> {
            for (Call call : List.copyOf(calls)) {
                if (call.purpose == Hello.CONNECT) {
                    calls.remove(call);
                }
            }
            for (Handshaking each : List.copyOf(pending)) {
                if (each.call != null && each.call.purpose == Hello.CONNECT) {
                    drop(each);
                }
            }
        });
    }

    private void tell(Runnable command) {
        thread.tell(this, command);
    }

    /** Ends everything; returns when the thread does nothing more. */
    void close() {
        thread.remove(this);
    }

    // ---- the thread

    /** Begins. */
    void begin() {
        // on whole multiples, so that those who share a thread wake it once for all
        long period = timing.pulseNanos();
        nextPulse = (System.nanoTime() / period + 2) * period;
        try {
            for (ServerSocketChannel listener : listening.listeners()) {
                listener.register(selector, SelectionKey.OP_ACCEPT, new Listener(listener));
            }
        } catch (IOException closedAlready) {
            failed("nobody can be let in: " + closedAlready.getMessage());
        }
    }

    /** Ends. */
    void end() {
        ended = true;
        for (Handshaking each : List.copyOf(pending)) {
            each.wire.close();
        }
        listening.close();
        arrivals.forEach(Closing::quietly); // there will be no more
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether time matters: somebody is waited for. */
    boolean isBusy() {
        return !pending.isEmpty() || !calls.isEmpty() || acceptingPaused;
    }

    /** When to beat next, by {@link System#nanoTime}. */
    long nextPulse() {
        return nextPulse;
    }

    /** Looks whose time is over. */
    void look(long now) {
        expire(clock.now());
        if (now - nextPulse >= 0) {
            long period = timing.pulseNanos();
            nextPulse = (now / period + 1) * period;
            pulse.beat();
        }
    }

    /** The thread cannot do its work. */
    void failed(String reason) {
        refusals.add(Refusals.Kind.NOT_ACCEPTED, reason);
    }

    /** Something of this link is wrong, which must not harm others. */
    void broken(RuntimeException wrong) {
        LOGGER.log(Level.ERROR, () -> name + " cannot go on", wrong);
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                lost.accept(peer, "this rank cannot keep the connection: " + wrong);
            }
        }
    }

    private final class Listener implements KeeperThread.Watcher {
        private final ServerSocketChannel listener;

        Listener(ServerSocketChannel listener) {
            this.listener = listener;
        }

        @Override
        public Keeper keeper() {
            return Keeper.this;
        }

        @Override
        public void ready(SelectionKey key) {
            accept(listener, key);
        }
    }

    // ---- who comes

    private void accept(ServerSocketChannel listener, SelectionKey key) {
        for (int accepted = 0; accepted < Network.BACKLOG; accepted++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException failed) { // no file descriptors left, most likely
                refusals.add(Refusals.Kind.NOT_ACCEPTED, String.valueOf(failed.getMessage()));
                key.interestOps(0);
                acceptingPaused = true;
                return;
            }
            if (channel == null) {
                return;
            }
            greet(channel);
        }
    }

    /** Channels that nobody has looked at yet. */
    int waitingArrivals() {
        return arrivals.size();
    }

    private void receive(SocketChannel channel) {
        arrivals.add(channel);
        tell(this::greetArrivals);
    }

    /** Those that come earlier than what the wire-up says, which nobody waits for here, are greeted when it is known. */
    private void greetArrivals() {
        SocketChannel channel;
        while ((awaitsCalls || arrivals.size() > LEAST_PENDING) && (channel = arrivals.poll()) != null) {
            if (awaitsCalls) {
                greet(channel);
            } else {
                Closing.quietly(channel);
                refusals.add(Refusals.Kind.TOO_MANY, "too many come before they are expected");
            }
        }
    }

    private void greet(SocketChannel channel) {
        Handshaking incoming =
                new Handshaking(this, channel, wire(channel, false), null, clock.now() + timing.connectNanos());
        try {
            network.configure(channel);
            incoming.handshake =
                    new Handshake.Acceptor(directory.proof(), rank, size, directory.round(), membership::admit);
            channel.register(selector, SelectionKey.OP_READ, incoming);
        } catch (IOException | CommunicationException failed) {
            refuse(incoming, Refusals.Kind.BROKEN, failed);
            return;
        }
        pending.add(incoming);
        strangers++;
        if (strangers > Math.max(LEAST_PENDING, 2 * size)) {
            for (Handshaking oldest : pending) {
                if (oldest.call == null) {
                    drop(oldest);
                    refusals.add(Refusals.Kind.TOO_MANY, "too many are waiting to prove themselves");
                    break;
                }
            }
        }
        proceed(incoming);
    }

    private Wire wire(SocketChannel channel, boolean initiator) {
        return security.over(new ChannelWire(channel), initiator);
    }

    private void refuse(Handshaking handshaking, Refusals.Kind kind, Exception failure) {
        drop(handshaking);
        refusals.add(kind, String.valueOf(failure.getMessage()));
    }

    private void drop(Handshaking handshaking) {
        if (pending.remove(handshaking)) {
            if (handshaking.call == null) {
                strangers--;
            }
            if (handshaking.handshake instanceof Handshake.Acceptor acceptor
                    && acceptor.verdict() == Handshake.ACCEPTED
                    && acceptor.hello().purpose() == Hello.CONNECT) {
                int peer = acceptor.hello().from();
                if (membership.dismiss(peer) && calls.stream().noneMatch(call -> call.peer == peer)) {
                    tell(() -> begin(peer, Hello.CONNECT, 0));
                }
            }
        }
        handshaking.wire.close();
    }

    // ---- handshakes

    void proceed(Handshaking handshaking) {
        try {
            Call call = handshaking.call;
            Handshake handshake = handshaking.handshake;
            if (handshake == null && call != null) {
                if (!handshaking.channel.finishConnect()) {
                    return;
                }
                handshake = introduce(handshaking, call);
            }
            if (handshake == null) {
                return;
            }
            if (handshake.advance(handshaking.wire)) {
                conclude(handshaking, handshake);
            } else {
                handshaking.wire.select(selector, handshaking, true, handshake.wantsToWrite());
            }
        } catch (WrongProofException wrong) {
            failed(handshaking, Refusals.Kind.WRONG_PROOF, wrong);
        } catch (ProtocolException wrong) {
            failed(handshaking, Refusals.Kind.NO_HANDSHAKE, wrong);
        } catch (IOException broken) {
            failed(handshaking, Refusals.Kind.BROKEN, broken);
        }
    }

    private Handshake introduce(Handshaking handshaking, Call call) throws IOException {
        ByteBuffer preamble = ByteBuffer.wrap(network.preamble(directory.name()));
        if (preamble.hasRemaining() && handshaking.channel.write(preamble) < preamble.capacity()) {
            throw new IOException("the system does not take the first " + preamble.capacity() + " bytes");
        }
        Handshake handshake = new Handshake.Initiator(
                directory.proof(), new Hello(call.purpose, directory.round(), rank, call.peer, size, call.subject));
        handshaking.handshake = handshake;
        handshaking.letIn = clock.now();
        return handshake;
    }

    private void failed(Handshaking handshaking, Refusals.Kind kind, IOException failure) {
        Call call = handshaking.call;
        if (call == null) {
            refuse(handshaking, kind, failure);
            return;
        }
        drop(handshaking);
        if (handshaking.isLetIn()) {
            call.broken(handshaking.letIn, clock.now());
        }
        call.obstacle = String.valueOf(failure.getMessage());
        call.due = clock.now() + RETRY_NANOS;
        if (!(failure instanceof ConnectException)) {
            call.advance();
        } else if (!call.refuse()) {
            giveUp(call, "nobody listens at its address any more");
        }
    }

    private void conclude(Handshaking handshaking, Handshake handshake) {
        pending.remove(handshaking);
        SelectionKey key = handshaking.channel.keyFor(selector);
        if (key != null) {
            key.cancel();
        }
        switch (handshake) {
            case Handshake.Acceptor acceptor -> {
                strangers--;
                Hello hello = acceptor.hello();
                if (acceptor.verdict() == Handshake.ACCEPTED && hello.purpose() == Hello.CONNECT) {
                    establish(handshaking, hello.from(), true);
                } else {
                    handshaking.wire.close();
                    if (acceptor.verdict() == Handshake.ACCEPTED && hello.purpose() == Hello.ROUSE) {
                        roused.run();
                    }
                    news.run();
                }
            }
            case Handshake.Initiator initiator -> answered(handshaking, initiator.verdict());
        }
    }

    private void answered(Handshaking handshaking, int verdict) {
        Call call = handshaking.call;
        if (call == null) {
            throw new IllegalStateException("a handshake that nobody has begun");
        }
        if (verdict == Handshake.ACCEPTED && call.purpose == Hello.CONNECT) {
            calls.remove(call);
            establish(handshaking, call.peer, false);
            return;
        }
        handshaking.wire.close();
        if (call.purpose == Hello.ROUSE) { // if the peer is gone or leaves, its connection says so
            calls.remove(call);
            return;
        }
        if (verdict == Handshake.LATER) {
            call.due = clock.now() + RETRY_NANOS;
            return;
        }
        calls.remove(call);
        membership.told(call.peer);
        if (verdict == Handshake.LEAVING) {
            membership.gone(call.peer, FrameHandler.LEFT, false);
        } else if (verdict != Handshake.ACCEPTED) {
            lost.accept(call.peer, "it has taken this rank for lost");
        }
        news.run();
    }

    private void establish(Handshaking handshaking, int peer, boolean incoming) {
        if (incoming) {
            // a call of one's own to the same peer is not needed any more
            calls.removeIf(call -> call.peer == peer && call.purpose == Hello.CONNECT);
            for (Handshaking each : List.copyOf(pending)) {
                if (each.call != null && each.call.peer == peer && each.call.purpose == Hello.CONNECT) {
                    drop(each);
                }
            }
        }
        if (membership.establish(peer, incoming)) {
            welcome.accept(peer, handshaking.channel, handshaking.wire);
        } else {
            handshaking.wire.close();
        }
        news.run();
    }

    // ---- calls

    private void begin(int peer, int purpose, int subject) {
        try {
            if (purpose == Hello.ROUSE
                    && (network.isCalledBy(peer)
                            || calls.stream().anyMatch(call -> call.purpose == purpose && call.peer == peer))) {
                return; // it cannot be called, or is being called
            }
            long now = clock.now();
            if (network.isCalledBy(peer)) {
                await(peer, purpose, now);
                return;
            }
            List<SocketAddress> candidates = directory.candidates(peer);
            if (candidates.isEmpty() && purpose == Hello.ROUSE) {
                return;
            }
            if (candidates.isEmpty()) { // it has taken its files away
                membership.told(peer);
                lost.accept(peer, "nobody listens at its address any more");
                news.run();
                return;
            }
            Call call = new Call(peer, purpose, subject, candidates, now, timing.connectNanos());
            calls.add(call);
            dial(call, now);
        } catch (CommunicationException unknown) {
            membership.told(peer);
            lost.accept(peer, "its address is not known: " + unknown.getMessage());
        }
    }

    private void await(int peer, int purpose, long now) {
        if (purpose != Hello.CONNECT) {
            membership.told(peer); // as soon as it calls
            news.run();
            return;
        }
        calls.add(Call.awaited(peer, purpose, now, timing.connectNanos()));
        awaitsCalls = true;
        greetArrivals();
    }

    private void dial(Call call, long now) {
        call.due = now + call.patience(now);
        SocketChannel channel;
        try {
            channel = network.open(call.candidate());
        } catch (IOException failed) { // no file descriptors left, most likely
            call.obstacle = String.valueOf(failed.getMessage());
            call.due = now + RETRY_NANOS;
            return;
        }
        Handshaking outgoing = new Handshaking(this, channel, wire(channel, true), call, call.due);
        pending.add(outgoing);
        try {
            KeepAlive.set(channel, timing.peerNanos());
            boolean connected = channel.connect(call.candidate());
            channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, outgoing);
            if (connected) {
                proceed(outgoing);
            }
        } catch (IOException failed) {
            failed(outgoing, Refusals.Kind.BROKEN, failed);
        }
    }

    private void giveUp(Call call, String reason) {
        calls.remove(call);
        if (call.purpose == Hello.ROUSE) {
            return; // not the way to find out whether the peer is there
        }
        membership.told(call.peer);
        if (!membership.isConnected(call.peer)) {
            lost.accept(call.peer, reason);
        }
        news.run();
    }

    private void expire(long now) {
        if (acceptingPaused) {
            acceptingPaused = false;
            for (ServerSocketChannel listener : listening.listeners()) {
                SelectionKey key = listener.keyFor(selector);
                if (key != null && key.isValid()) {
                    key.interestOps(SelectionKey.OP_ACCEPT);
                }
            }
        }
        for (Handshaking each : List.copyOf(pending)) {
            if (now - each.deadline() >= 0 && !each.mayWait()) {
                drop(each);
                if (each.call == null) {
                    refusals.add(Refusals.Kind.TOO_SLOW, "it has not proved itself in time");
                } else {
                    if (each.isLetIn()) {
                        each.call.wasSilent();
                    }
                    each.call.advance();
                    each.call.due = now;
                }
            }
        }
        for (Call call : List.copyOf(calls)) {
            boolean underWay = pending.stream().anyMatch(each -> each.call == call);
            if (call.purpose == Hello.CONNECT && !membership.isCalling(call.peer)) {
                calls.remove(call);
            } else if (now - call.deadline >= 0) {
                endRound(call, now);
            } else if (!underWay && now - call.due >= 0) {
                dial(call, now);
            }
        }
    }

    /** Gives up, unless the peer may only be stopped. */
    private void endRound(Call call, long now) {
        List<Handshaking> underWay =
                pending.stream().filter(each -> each.call == call).toList();
        if (call.beginAnew(underWay.stream().anyMatch(each -> each.isLetIn() && call.isKept(each.letIn, now)), now)) {
            if (call.rounds() == 1) {
                suspected.accept(call.peer, timing.connectNanos());
            }
            return;
        }
        underWay.forEach(this::drop);
        giveUp(
                call,
                "no connection to it within " + TimeUnit.NANOSECONDS.toMillis(timing.connectNanos()) + " ms: "
                        + call.obstacle);
    }

    @Override
    public String toString() {
        return name;
    }
}
