package org.galerna.link.ucx;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.Membership;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.support.Rounds;

/** What is looked for at UCX's worker. What has come is moved to the peers under its lock, and handed out without it. */
final class UcxRounds extends Rounds {
    private static final long CLOSE_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 20_000;

    private final Worker worker;
    private final List<Peer> peers;
    private final ConnectionManager manager;
    private final Runnable wakeUp;
    private final Queue<Runnable> finished = new ConcurrentLinkedQueue<>();
    private final List<Arrival> done = new ArrayList<>(); // of the polling thread
    private final List<Peer> ready = new ArrayList<>(); // those that something has come of; the same
    private volatile boolean anyBlocked; // set under the lock after a peer is, and cleared before they are looked at
    private long ticked; // of the manager's thread: looks until the last tick

    UcxRounds(Worker worker, List<Peer> peers, Membership membership, ConnectionManager manager, Runnable wakeUp) {
        super(membership);
        this.worker = worker;
        this.peers = peers;
        this.manager = manager;
        this.wakeUp = wakeUp;
    }

    // ---- sending

    /** Sends what is committed to a peer, after a look at what has come if that is wanted. Any thread. */
    void push(Peer peer, boolean progress) {
        boolean news = false;
        worker.lock.lock();
        try {
            if (!isClosed()) {
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
            wakeUp.run(); // a sleeper is not told by the descriptor any more
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

    /** A peer's program has taken so many messages: sends what has waited for that, and returns whether something has. */
    boolean taken(Peer peer, long messages) {
        worker.lock.lock();
        try {
            peer.taken(messages);
        } finally {
            worker.lock.unlock();
        }
        boolean waited = peer.isBlocked();
        if (waited) {
            push(peer, false);
        }
        return waited;
    }

    // ---- polling

    @Override
    protected int look(FrameHandler handler, int limit) {
        boolean unused = take();
        int handled = ready.isEmpty() ? 0 : deliverReady(handler, limit);
        if (anyBlocked) {
            pushBlocked();
        }
        while (worker.hasFailures()) {
            Worker.Failure failure = worker.nextFailure();
            if (failure != null) {
                manager.lose(failure.peer(), "the connection to it is broken: " + failure.reason());
            }
        }
        return handled;
    }

    private int deliverReady(FrameHandler handler, int limit) {
        int handled = 0;
        for (int each = 0; each < ready.size(); each++) {
            handled += deliver(ready.get(each), handler, limit);
        }
        for (int each = ready.size() - 1; each >= 0; each--) { // allocates nothing
            if (!ready.get(each).hasInbound()) {
                ready.remove(each);
            }
        }
        return handled;
    }

    @Override
    protected boolean take() {
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

    /** Has a completion called by the polling thread. */
    void complete(Runnable completion) {
        finished.add(completion);
    }

    @Override
    protected void moveTransfers() {
        Runnable completion;
        while ((completion = finished.poll()) != null) {
            completion.run();
        }
    }

    @Override
    protected long received(int peer) {
        return peers.get(peer).received();
    }

    @Override
    protected boolean hasInbound(int peer) {
        return peers.get(peer).hasInbound();
    }

    @Override
    protected int deliver(int peer, FrameHandler handler, int limit) {
        return deliver(peers.get(peer), handler, limit);
    }

    private int deliver(Peer peer, FrameHandler handler, int limit) {
        try {
            return peer.deliver(handler, limit, done);
        } catch (ProtocolException wrong) {
            manager.lose(peer.rank, String.valueOf(wrong.getMessage()));
            return 0;
        } finally {
            if (peer.owesWord()) {
                manager.taken(peer.rank, peer.giveWord());
            }
        }
    }

    /** Nothing goes to a peer any more; the endpoint to one that has left stays until this rank ends. */
    @Override
    protected void cut(int peer, String reason, boolean left) {
        worker.lock.lock();
        try {
            Peer gone = peers.get(peer);
            gone.leave();
            if (!left) {
                gone.disconnect(true);
            }
        } finally {
            worker.lock.unlock();
        }
    }

    // ---- the manager's thread

    /**
     * Lets UCX go on, which connects and sends only while both sides call it, unless somebody else does; leaves what comes to
     * those who poll. True if something is under way.
     */
    boolean progressIfIdle() {
        if (!worker.lock.tryLock()) {
            return false;
        }
        boolean busy = false;
        boolean news = false;
        try {
            // else somebody makes progress who knows better when
            if (!isClosed() && !worker.isFull() && worker.looks() == ticked) {
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
            wakeUp.run(); // a sleeper is not told by the descriptor any more
        }
        return busy;
    }

    // ---- the end

    @Override
    protected void end(String reason) {
        long end = System.nanoTime() + CLOSE_NANOS;
        worker.lock.lock();
        try {
            for (Peer each : peers) {
                boolean gone = each.isGone(); // it may have ended, so that an adapter would ask it for half a minute
                each.leave();
                each.disconnect(gone);
            }
        } finally {
            worker.lock.unlock();
        }
        while (!isIdle() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        moveTransfers();
    }

    private boolean isIdle() {
        boolean unused = take();
        worker.lock.lock();
        try {
            return worker.isIdle();
        } finally {
            worker.lock.unlock();
        }
    }
}
