package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
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
import org.galerna.link.support.Frames;
import org.galerna.link.support.ManagerEnd;
import org.galerna.link.support.Membership;

/**
 * Knows who is there, on a thread of its own: it listens to the control link, which says who leaves and who is lost, and
 * completes the transfers of arrays. Frames do not pass through it.
 */
final class Manager implements FrameHandler, AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BUSY_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int POLL_LIMIT = 64;

    /** How long a broken way waits for the control link to say whether the peer has left or died. */
    private static final long SUSPICION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final UcxLink link;
    private final Membership membership;
    private final Link control;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean left;

    // of the thread
    private final Map<Integer, Suspicion> suspicions = new HashMap<>();
    private final Deque<Peer> goodbyes = new ArrayDeque<>();
    private boolean leaving;

    private record Suspicion(String reason, long since) {}

    Manager(String name, UcxLink link, Membership membership, Link control) {
        this.link = link;
        this.membership = membership;
        this.control = control;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    // ---- from any thread

    /** Has something done by the thread, soon. */
    private void tell(Runnable job) {
        jobs.add(job);
        control.waiter().wakeUp();
    }

    /** The way to a peer does not work any more; why, the control link may know better. */
    void lose(int peer, String reason) {
        tell(() -> suspicions.putIfAbsent(peer, new Suspicion(reason, System.nanoTime())));
    }

    /** Tells the others that this rank leaves: everything is sent. */
    void leave() {
        tell(this::sayGoodbye);
    }

    /** Whether that is told. */
    boolean hasLeft() {
        return left;
    }

    /** Whether the others need this rank no more. */
    boolean isDrained() {
        return control.drain(0);
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
        sendGoodbyes();
        confirmSuspicions();
        return link.tick();
    }

    private void sayGoodbye() {
        if (!leaving) {
            leaving = true;
            link.peers().stream()
                    .filter(peer -> link.sent(peer) > 0 && !membership.isGone(peer.rank))
                    .forEach(goodbyes::add);
            sendGoodbyes();
        }
    }

    private void sendGoodbyes() {
        goodbyes.removeIf(this::sendGoodbye);
        if (leaving && goodbyes.isEmpty() && !left) {
            control.stop();
            left = true;
            link.wakeUp();
        }
    }

    private boolean sendGoodbye(Peer peer) {
        try {
            Channel channel = control.connect(peer.rank);
            long claim = channel.claim(Long.BYTES);
            if (claim >= 0) {
                channel.memory().set(Frames.LONG, Channel.offset(claim), link.sent(peer));
                channel.commit(claim, Long.BYTES);
                channel.flush();
            }
            return claim != Channel.BACK_PRESSURE; // else nobody is left to care
        } catch (CommunicationException unknown) {
            return true;
        }
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        long messages = length == Long.BYTES ? memory.get(Frames.LONG, offset) : Membership.UNKNOWN;
        if (messages < 0) {
            lose(peer, "it does not keep to the protocol");
        } else {
            membership.announce(peer, messages);
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        if (membership.leave(peer, reason)) {
            link.wakeUp();
        }
    }

    private void confirmSuspicions() {
        if (suspicions.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        for (Map.Entry<Integer, Suspicion> each : List.copyOf(suspicions.entrySet())) {
            int peer = each.getKey();
            if (membership.isGone(peer)) {
                suspicions.remove(peer);
            } else if (now - each.getValue().since >= SUSPICION_NANOS) {
                suspicions.remove(peer);
                if (membership.lose(peer, each.getValue().reason)) {
                    link.wakeUp();
                }
            }
        }
    }

    /** Ends the thread; returns when it does nothing more. */
    @Override
    public void close() {
        closed = true;
        ManagerEnd.await(thread, control.waiter(), control::close);
    }
}
