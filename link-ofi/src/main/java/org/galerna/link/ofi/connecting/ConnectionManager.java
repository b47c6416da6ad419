package org.galerna.link.ofi.connecting;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.wire.ControlMessage;
import org.galerna.link.support.ManagerEnd;
import org.galerna.link.support.Membership;
import org.galerna.link.support.ProtocolException;

/**
 * Notices who leaves and who is lost, on a thread of its own, which listens to the control link: few providers of libfabric tell
 * that a peer has died. Messages do not pass through it. A rank that leaves waits until its peers say that all its messages have
 * come, because an operation of libfabric may be over when a message is merely on its way.
 */
public final class ConnectionManager implements FrameHandler, AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BUSY_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int POLL_LIMIT = 64;

    /** How long a rank that does not wait for its peers lets them hear that it leaves. */
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a failure waits for the control link to say whether the peer has left or died. */
    private static final long SUSPICION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The link of which it is a part. Any thread may call. */
    public interface Owner {
        /** The peers that there is something to say to, or that have said something. */
        List<Peer> peers();

        /** Messages of frames that have come from a peer. */
        long received(int peer);

        /** Makes progress for a thread that does not poll. */
        void progress();

        /** Something has changed that a waiting thread may care for. */
        void wakeUp();

        /** A peer wants this rank to look at what has come for it. */
        void roused();

        /**
         * Once in a while, for a rank that does not poll.
         *
         * @return whether something is under way, so that this should soon be called again
         */
        boolean tick();
    }

    private final Owner owner;
    private final int size;
    private final Membership membership;
    private final Link control;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean left;
    private volatile boolean acknowledged;

    // of the thread
    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private final Map<Integer, Suspicion> suspicions = new HashMap<>();
    private final Map<Integer, Long> leavers = new HashMap<>(); // whose messages have not all come, with their number
    private final Set<Integer> unwatched = new HashSet<>(); // who is talked to, and not connected yet
    private final Set<Integer> awaited = new HashSet<>(); // who has to say that all has come
    private long lastLoss = System.nanoTime() - 2 * SUSPICION_NANOS;
    private boolean leaving;

    private record Outgoing(int peer, ControlMessage message) {}

    private record Suspicion(String reason, long since) {}

    public ConnectionManager(String name, Owner owner, int size, Membership membership, Link control) {
        this.owner = owner;
        this.size = size;
        this.membership = membership;
        this.control = control;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    // ---- jobs, from any thread

    private void tell(Runnable job) {
        jobs.add(job);
        control.waiter().wakeUp();
    }

    /** A peer is talked to: there is to be a connection that tells when it ends. */
    public void watch(int peer) {
        tell(() -> unwatched.add(peer));
    }

    /** Connects to a peer, unless it is gone; false if it has not attached yet. */
    private boolean meet(int peer) {
        if (membership.isGone(peer)) {
            return true;
        }
        try {
            return control.connect(peer).peer() == peer;
        } catch (CommunicationException notYet) {
            return false;
        }
    }

    /** Nothing reaches a peer any more; why, the control link may know better. */
    public void lose(int peer, String reason) {
        tell(() -> suspect(peer, reason));
    }

    /** Something has not reached a peer, and nobody knows which. */
    public void loseSomebody(String reason) {
        tell(() -> suspicions.putIfAbsent(size, new Suspicion(reason, System.nanoTime())));
    }

    /** Nothing works any more. */
    public void loseAll(String reason) {
        tell(() -> {
            for (int peer = 0; peer < size; peer++) {
                lost(peer, reason);
            }
        });
    }

    /** A peer is to look at what has come for it. */
    public void rouse(int peer) {
        tell(() -> send(peer, ControlMessage.of(ControlMessage.ROUSE)));
    }

    /** This rank leaves; everything is sent. */
    public void leave() {
        tell(this::sayGoodbye);
    }

    /** Whether the others know that this rank has left, and have all that it has sent. */
    public boolean isDrained() {
        return left && acknowledged && control.drain(0);
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
        boolean unused = round();
    }

    private boolean round() {
        Runnable job;
        while ((job = jobs.poll()) != null) {
            job.run();
        }
        control.poll(this, POLL_LIMIT);
        unwatched.removeIf(this::meet);
        acknowledge();
        sendOutgoing();
        confirmSuspicions();
        return owner.tick() || !leavers.isEmpty();
    }

    private void acknowledge() {
        if (leavers.isEmpty()) {
            return;
        }
        owner.progress();
        leavers.entrySet().removeIf(each -> {
            boolean complete = owner.received(each.getKey()) >= each.getValue();
            if (complete) {
                outgoing.add(new Outgoing(each.getKey(), ControlMessage.of(ControlMessage.RECEIVED)));
            }
            return complete;
        });
    }

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
        if (leaving && acknowledged && outgoing.isEmpty() && leavers.isEmpty() && !left) {
            control.stop();
            left = true;
            owner.wakeUp();
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
        }
    }

    private void handle(int peer, ControlMessage message) {
        switch (message.kind()) {
            case ControlMessage.LEAVING -> {
                membership.announce(peer, message.messages());
                leavers.put(peer, message.messages());
                acknowledge();
            }
            case ControlMessage.RECEIVED -> noLongerAwaited(peer);
            case ControlMessage.LOST -> suspect(peer, "it has lost this rank");
            default -> owner.roused();
        }
    }

    private void noLongerAwaited(int peer) {
        awaited.remove(peer);
        if (leaving && awaited.isEmpty() && !acknowledged) {
            acknowledged = true;
            owner.wakeUp();
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        lastLoss = System.nanoTime();
        noLongerAwaited(peer);
        boolean waited = leavers.remove(peer) == null; // otherwise what has not come by now will not
        if (waited ? membership.leave(peer, reason) : membership.lose(peer, reason)) {
            owner.wakeUp();
        }
    }

    // ---- ends

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
            Suspicion suspicion = each.getValue();
            boolean unknown = peer == size;
            if (now - suspicion.since >= SUSPICION_NANOS
                    || (!unknown && membership.hasSentAll(peer, owner.received(peer)))) {
                suspicions.remove(peer);
                if (!unknown) {
                    lost(peer, suspicion.reason);
                } else if (now - lastLoss >= 2 * SUSPICION_NANOS) { // nobody whom it can have been for is gone
                    for (int everybody = 0; everybody < size; everybody++) {
                        lost(everybody, "a message has not reached its receiver: " + suspicion.reason);
                    }
                }
            }
        }
    }

    private void lost(int peer, String reason) {
        if (membership.lose(peer, reason)) {
            leavers.remove(peer);
            noLongerAwaited(peer);
            owner.wakeUp();
            if (!leaving) {
                outgoing.add(new Outgoing(peer, ControlMessage.of(ControlMessage.LOST)));
            }
        }
    }

    private void sayGoodbye() {
        if (leaving) {
            return;
        }
        leaving = true;
        outgoing.removeIf(each -> each.message.kind() == ControlMessage.ROUSE);
        for (Peer each : owner.peers()) {
            if (!membership.isGone(each.peer()) && each.messages() > 0) {
                outgoing.add(new Outgoing(each.peer(), new ControlMessage(ControlMessage.LEAVING, each.messages())));
                awaited.add(each.peer());
            }
        }
        acknowledged = awaited.isEmpty();
        sendOutgoing();
    }

    /** Ends the thread; returns when it does nothing more. */
    @Override
    public void close() {
        closed = true;
        ManagerEnd.await(thread, control.waiter(), () -> {
            control.stop();
            boolean unused =
                    control.drain(GOODBYE_NANOS); // peers with whom there is no connection yet are to hear it, too
            control.close();
        });
    }
}
