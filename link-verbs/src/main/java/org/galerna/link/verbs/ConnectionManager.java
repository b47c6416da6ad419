package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.support.Membership;
import org.galerna.nativeaccess.DescriptorWait;
import org.galerna.nativeaccess.verbs.AsyncEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvent;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.QueuePairAddress;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of a link and notices their ends, on a thread of its own, as in Ibdxnet (Nothaas et al., 2018,
 * 7.1): whoever wants to talk leaves a job in a queue and goes on, so that the way of a message has no lock for it, and any
 * number of threads that want the same connection get one. The thread listens to the control link, which says as well who
 * leaves and who is lost; messages do not pass through it.
 */
final class ConnectionManager implements FrameHandler, CmEvents.Listener, CmConnector.Owner, AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BUSY_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int POLL_LIMIT = 64;
    private static final int PACKET_NUMBERS = 1 << 24;

    /** How often a connection is tried to be made. */
    private static final int TRIALS = 5;

    /** How long a broken connection waits for the control link to say whether the peer has left or died. */
    private static final long SUSPICION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final VerbsLink link;
    private final Connections connections;
    private final int rank;
    private final Attachment attachment;
    private final Sizes sizes;
    private final Directory directory;
    private final Membership membership;
    private final FlushTarget flushTarget;
    private final Link control;
    private final @Nullable CmConnector connector;
    private final CmEvents events;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean left;

    // of the thread
    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private final Map<Integer, Suspicion> suspicions = new HashMap<>();
    private boolean leaving;

    private record Outgoing(int peer, ControlMessage message) {}

    private record Suspicion(String reason, long since) {}

    ConnectionManager(
            String name,
            VerbsLink link,
            Connections connections,
            Attachment attachment,
            Sizes sizes,
            Directory directory,
            Membership membership,
            FlushTarget flushTarget,
            Link control,
            @Nullable CmConnector connector,
            DescriptorWait eventWait) {
        this.link = link;
        this.connections = connections;
        this.rank = link.rank();
        this.attachment = attachment;
        this.sizes = sizes;
        this.directory = directory;
        this.membership = membership;
        this.flushTarget = flushTarget;
        this.control = control;
        this.connector = connector;
        this.events = new CmEvents(
                name, attachment.adapter(), connector == null ? null : connector.events(), eventWait, this);
        this.thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
        if (connector != null) {
            connector.serve(this);
        }
    }

    void start() {
        events.start();
        thread.start();
    }

    // ---- jobs, from any thread

    /** Has something done by the thread, soon. */
    void tell(Runnable job) {
        jobs.add(job);
        control.waiter().wakeUp();
    }

    /** Wants a connection. */
    void connect(Connection connection) {
        tell(() -> begin(connection));
    }

    /** A connection does not work any more; why, the control link may know better. */
    void lose(int peer, String reason) {
        tell(() -> suspect(peer, reason));
    }

    /** The adapter does not work any more. */
    void loseAll(String reason) {
        tell(() -> {
            for (int peer = 0; peer < directory.size(); peer++) {
                lost(peer, reason);
            }
        });
    }

    /** A peer is to look at what has come for it. */
    void rouse(int peer) {
        tell(() -> send(peer, ControlMessage.of(ControlMessage.ROUSE)));
    }

    /** This rank leaves; everything is sent. */
    void leave() {
        tell(this::sayGoodbye);
    }

    /** Whether everybody has been told, or cannot be. */
    boolean hasLeft() {
        return left;
    }

    /** Whether the others know that this rank has left. */
    boolean isDrained() {
        return control.drain(0);
    }

    @Override
    public void onConnection(ConnectionEvent event) {
        tell(() -> {
            if (connector != null) {
                connector.onEvent(event);
            }
        });
    }

    @Override
    public void onAdapter(AsyncEvent event) {
        if (event.isQueuePairError()) {
            Connection connection = connections.at(event.element());
            if (connection != null) {
                tell(() -> queuePairFailed(connection, event.description()));
            }
        } else if (event.isFatal()) {
            link.fatal("adapter " + attachment.adapter().name() + ": " + event.description());
        }
    }

    private void queuePairFailed(Connection connection, String description) {
        if (connector == null || connection.isUp()) { // otherwise the trial to connect has failed, which RDMA CM says
            suspect(connection.peer(), "its queue pair has failed: " + description);
        }
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            boolean more = round();
            control.waiter().prepare();
            if (control.poll(this, POLL_LIMIT) > 0 || !jobs.isEmpty()) {
                control.waiter().cancel();
            } else {
                control.waiter().await(more ? BUSY_ROUND_NANOS : ROUND_NANOS);
            }
        }
        round();
    }

    private boolean round() {
        Runnable job;
        while ((job = jobs.poll()) != null) {
            job.run();
        }
        control.poll(this, POLL_LIMIT);
        sendOutgoing();
        confirmSuspicions();
        return link.tick();
    }

    // ---- control messages

    private void send(int peer, ControlMessage message) {
        outgoing.add(new Outgoing(peer, message));
        sendOutgoing();
    }

    private void sendOutgoing() {
        List<Outgoing> later = new ArrayList<>();
        while (!outgoing.isEmpty()) {
            Outgoing each = outgoing.removeFirst();
            boolean waits = later.stream().anyMatch(other -> other.peer == each.peer);
            if (waits || !trySend(each)) {
                later.add(each);
            }
        }
        outgoing.addAll(later);
        if (leaving && outgoing.isEmpty() && !left) {
            control.stop();
            left = true;
            link.wakeUp();
        }
    }

    private boolean trySend(Outgoing each) {
        Channel channel;
        try {
            channel = control.connect(each.peer);
        } catch (CommunicationException unknown) {
            lost(each.peer, String.valueOf(unknown.getMessage()));
            return true;
        }
        long claim = channel.claim(ControlMessage.BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED; // nobody is left to care
        }
        each.message.write(channel.memory(), Channel.offset(claim));
        channel.commit(claim, ControlMessage.BYTES);
        channel.flush();
        return true;
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        try {
            handle(peer, ControlMessage.read(memory, offset, length));
        } catch (ProtocolException wrong) {
            lost(peer, "it does not keep to the protocol: " + wrong.getMessage());
        } catch (VerbsException | IllegalStateException failed) {
            lost(peer, "no connection to it can be made: " + failed.getMessage());
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        if (membership.leave(peer, reason)) {
            link.wakeUp();
        }
    }

    private void handle(int peer, ControlMessage message) throws VerbsException, ProtocolException {
        if (message.kind() == ControlMessage.LEAVING) {
            membership.announce(peer, message.messages());
            return;
        }
        if (message.kind() == ControlMessage.LOST) {
            suspect(peer, "it has lost the connection to this rank");
            return;
        }
        if (message.kind() == ControlMessage.ROUSE) {
            link.roused();
            return;
        }
        if (link.isStopped() || membership.isGone(peer)) {
            return;
        }
        Connection connection = connections.to(peer);
        boolean lower = rank < peer;
        if (lower != (message.kind() == ControlMessage.WANT || message.kind() == ControlMessage.INVITE)) {
            throw new ProtocolException("a control message of kind " + message.kind() + ", which is not its part");
        }
        switch (message.kind()) {
            case ControlMessage.WANT -> begin(connection);
            case ControlMessage.CALL -> called(connection, message);
            case ControlMessage.INVITE -> invited(connection, message);
            default -> connection.up();
        }
    }

    // ---- connecting

    private void begin(Connection connection) {
        int peer = connection.peer();
        if (connection.state() != Connection.State.IDLE || link.isStopped() || membership.isGone(peer)) {
            return;
        }
        connection.connecting();
        if (rank > peer) {
            send(peer, ControlMessage.of(ControlMessage.WANT));
            return;
        }
        call(connection);
    }

    private void call(Connection connection) {
        int peer = connection.peer();
        try {
            QueuePair pair = connector == null ? initialized(connection) : null;
            send(peer, new ControlMessage(ControlMessage.CALL, info(pair), new byte[ControlMessage.TOKEN_BYTES], 0));
        } catch (VerbsException | IllegalStateException failed) {
            lost(peer, "no connection to it can be made: " + failed.getMessage());
        }
    }

    private QueuePair initialized(Connection connection) throws VerbsException {
        QueuePair pair = connection.prepare();
        pair.initialize(attachment.choice().port().number());
        return pair;
    }

    /** The number of the first packet: nobody who does not know it can slip one in. */
    private static int firstPacket(QueuePair pair) {
        return (int) (RandomStart.VALUE + pair.number() * 0x9e3779b9L) & (PACKET_NUMBERS - 1);
    }

    private static final class RandomStart {
        static final long VALUE = RANDOM.nextLong();
    }

    private PeerInfo info(@Nullable QueuePair pair) {
        byte[] gid = attachment.choice().gid() == null
                ? new byte[16]
                : attachment.choice().gid().bytes();
        QueuePairAddress address = new QueuePairAddress(
                pair == null ? 0 : pair.number(),
                pair == null ? 0 : firstPacket(pair),
                attachment.choice().port().lid(),
                gid);
        return new PeerInfo(
                sizes.slotBytes(),
                sizes.credits(),
                attachment.mtu(),
                flushTarget.address(),
                flushTarget.remoteKey(),
                address);
    }

    private void check(PeerInfo theirs) {
        if (theirs.slotBytes() != sizes.slotBytes() || theirs.credits() != sizes.credits()) {
            throw new IllegalStateException("it takes " + theirs.credits() + " messages of " + theirs.slotBytes()
                    + " bytes and this rank " + sizes.credits() + " of " + sizes.slotBytes()
                    + "; all ranks need the same options " + VerbsOptions.PREFIX + "*");
        }
    }

    private void called(Connection connection, ControlMessage call) throws VerbsException, ProtocolException {
        if (connection.isUp()) {
            throw new ProtocolException("it calls, and has said that the connection is ready");
        }
        if (connection.pair() != null) {
            startAgain(connection);
        }
        check(call.info());
        connection.connecting();
        connection.inform(call.info());
        QueuePair pair = null;
        byte[] token = new byte[ControlMessage.TOKEN_BYTES];
        if (connector != null) {
            connection.prepare();
            token = connector.invite(connection);
        } else {
            pair = initialized(connection);
            join(pair, call.info());
        }
        send(connection.peer(), new ControlMessage(ControlMessage.INVITE, info(pair), token, 0));
    }

    private void join(QueuePair pair, PeerInfo theirs) throws VerbsException {
        var path = attachment.path(Math.max(256, Integer.highestOneBit(theirs.mtu())));
        pair.receiveFrom(theirs.address(), path);
        pair.startSending(firstPacket(pair), path);
    }

    private void invited(Connection connection, ControlMessage invitation) throws VerbsException {
        if (connection.state() != Connection.State.CONNECTING || connection.info() != null) {
            return;
        }
        check(invitation.info());
        connection.inform(invitation.info());
        if (connector != null) {
            connector.connect(connection, directory.listener(connection.peer()), invitation.token());
            return;
        }
        join(connection.prepare(), invitation.info());
        made(connection);
    }

    @Override
    public void made(Connection connection) {
        connection.up();
        send(connection.peer(), ControlMessage.of(ControlMessage.READY));
    }

    @Override
    public void failed(Connection connection, String reason) {
        if (connection.restarts() + 1 == TRIALS) {
            broken(connection, reason);
            return;
        }
        startAgain(connection);
        call(connection);
    }

    private void startAgain(Connection connection) {
        if (connector != null) {
            connector.forget(connection);
        }
        connection.restart();
    }

    // ---- ends

    @Override
    public void broken(Connection connection, String reason) {
        suspect(connection.peer(), reason);
    }

    private void suspect(int peer, String reason) {
        if (!membership.isGone(peer)) {
            suspicions.putIfAbsent(peer, new Suspicion(reason, System.nanoTime()));
        }
    }

    private void confirmSuspicions() {
        if (suspicions.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (Map.Entry<Integer, Suspicion> each : List.copyOf(suspicions.entrySet())) {
            int peer = each.getKey();
            Connection connection = connections.find(peer);
            long received = connection == null ? 0 : connection.received();
            // of one that leaves messages may still be on their way, by iWARP also after the news of its end
            if (now - each.getValue().since >= SUSPICION_NANOS || membership.hasSentAll(peer, received)) {
                suspicions.remove(peer);
                lost(peer, each.getValue().reason);
            }
        }
    }

    private void lost(int peer, String reason) {
        Connection connection = connections.find(peer);
        boolean knowsThisRank = connection != null && connection.state() != Connection.State.IDLE;
        if (membership.lose(peer, reason)) {
            link.wakeUp();
            if (knowsThisRank && !leaving) {
                outgoing.add(new Outgoing(peer, ControlMessage.of(ControlMessage.LOST)));
            }
        }
    }

    /** A peer was reported lost: nothing of it is left but what the connection manager knows. */
    void forget(Connection connection) {
        tell(() -> {
            if (connector != null) {
                connector.forget(connection);
            }
        });
    }

    private void sayGoodbye() {
        if (leaving) {
            return;
        }
        leaving = true;
        outgoing.removeIf(each -> each.message.kind() != ControlMessage.LEAVING);
        for (Connection each : connections.all()) {
            if (!membership.isGone(each.peer()) && each.state() != Connection.State.IDLE) {
                outgoing.add(new Outgoing(each.peer(), ControlMessage.leaving(each.messages())));
            }
        }
        sendOutgoing();
    }

    /** Ends the threads; returns when they do nothing more. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            control.waiter().wakeUp();
            try {
                thread.join(10);
            } catch (InterruptedException hurry) {
                interrupted = true;
            }
        }
        events.close();
        control.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
