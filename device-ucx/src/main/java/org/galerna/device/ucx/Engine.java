package org.galerna.device.ucx;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.ProgressLoop;
import org.galerna.device.support.Senders;
import org.galerna.link.Wireup;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.wireup.LongValues;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * The worker of UCX, and what the parts of the device share. A lock guards all of it: UCX's worker is one thread's at a time,
 * and what is under way is known to the holder of the lock alone. Requests are completed under the lock.
 */
final class Engine implements AutoCloseable {
    /** Longest message that is ever sent with its bytes: longer ones gain nothing by the copies. */
    static final int MOST_EAGER = 64 * 1024;

    private static final String ADDRESS = "galerna.ucx.address";
    private static final String UCX = "UCX";
    private static final long CLOSE_NANOS = 3_000_000_000L;

    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private @Nullable Thread holder; // guarded by the lock; read by others, it is never the reader
    private int depth; // of calls inside the lock that lock once more
    private final Membership membership;
    private final int eagerLimit;
    private final Tags tags;
    private final Peer[] peers;
    private final UcxWorker worker;
    private final Arena arena = Arena.ofShared();
    private final SlotPool slots;
    private final StagingPool staging;
    private final Wireup wireup;
    private final Operations operations;
    private final Departures departures;
    private final Outbound outbound;
    private final Inbound inbound;
    private final Senders senders;
    private final OtherThreads otherThreads;
    private final Conversations conversations = new Conversations();
    private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
    private IntConsumer onMet = _ -> {};
    private @Nullable ProgressLoop loop;
    private boolean completed;
    private long moves; // racy where it is read: only tells the launcher that something moves

    Engine(Wireup wireup, Membership membership, int eagerLimit, long credit, OtherThreads otherThreads)
            throws UcxException {
        this.membership = membership;
        this.eagerLimit = Math.min(eagerLimit, MOST_EAGER);
        this.otherThreads = otherThreads;
        this.tags = new Tags(membership.size());
        this.senders = new Senders(membership);
        this.peers = new Peer[membership.size()];
        Arrays.setAll(
                peers, rank -> new Peer(rank, credit, membership.counters().of(rank)));
        this.slots = new SlotPool(arena, Arrival.HEADER + this.eagerLimit);
        this.staging = new StagingPool(arena);
        this.departures = new Departures(this, wireup, membership, peers);
        this.worker = UcxWorker.open(UcxLibrary.open(), departures::failed, peers.length, tags.rankMask(), settings());
        this.wireup = wireup;
        this.operations = new Operations(worker);
        this.outbound = new Outbound(this, worker, operations, membership, peers);
        this.inbound = new Inbound(this, worker, operations);
    }

    private static Map<String, String> settings() {
        // how soon a peer that has died is found, unless somebody has chosen
        return System.getenv("UCX_KEEPALIVE_INTERVAL") == null ? Map.of("KEEPALIVE_INTERVAL", "1s") : Map.of();
    }

    /** Tells the others where this rank is reached; before a fence. */
    void publish() throws UcxException {
        LongValues.put(wireup, ADDRESS, worker.address());
    }

    void begin(ProgressLoop loop) {
        this.loop = loop;
        lock();
        try {
            inbound.listen();
        } finally {
            unlock();
        }
    }

    /** Who is told of each peer that is talked to, or talks, for the first time; before {@link #begin}. */
    void onMet(IntConsumer listener) {
        onMet = listener;
    }

    /** A peer is talked to, or talks; under the lock. */
    void meet(Peer peer) {
        if (!peer.met) {
            peer.met = true;
            if (peer.rank != rank()) {
                onMet.accept(peer.rank);
            }
        }
    }

    // ---- for the requests

    ProgressLoop loop() {
        ProgressLoop open = loop;
        if (open == null) {
            throw new IllegalStateException("the device is not open yet");
        }
        return open;
    }

    int rank() {
        return membership.rank();
    }

    int eagerLimit() {
        return eagerLimit;
    }

    Tags tags() {
        return tags;
    }

    Departures departures() {
        return departures;
    }

    Outbound outbound() {
        return outbound;
    }

    Inbound inbound() {
        return inbound;
    }

    Senders senders() {
        return senders;
    }

    Conversations conversations() {
        return conversations;
    }

    SlotPool slots() {
        return slots;
    }

    StagingPool staging() {
        return staging;
    }

    Peer peer(int rank) {
        return peers[rank];
    }

    /** Which ranks are there, and what this one counts. */
    Membership membership() {
        return membership;
    }

    /** Something moves; under the lock. */
    void moved() {
        moves++;
    }

    long moves() {
        return moves;
    }

    int descriptor() {
        return worker.descriptor();
    }

    /** A thread comes that helps while the rank's own threads compute or sleep; before it does. */
    void helpedBy(Thread helper) {
        lock.visitedBy(helper);
    }

    /** Locks; the thread that has the lock may do so again. */
    void lock() {
        if (!enterAgain()) {
            lock.lock();
            holder = Thread.currentThread();
        }
    }

    /** Locks if no other thread has the lock. */
    boolean tryLock() {
        if (!enterAgain()) {
            if (!lock.tryLock()) {
                return false;
            }
            holder = Thread.currentThread();
        }
        return true;
    }

    /** Whether the calling thread has the lock; then it has it once more. */
    private boolean enterAgain() {
        boolean again = holder == Thread.currentThread();
        if (again) {
            depth++;
        }
        return again;
    }

    /** Unlocks, and wakes those who may wait for what has been completed. */
    void unlock() {
        if (depth > 0) {
            depth--;
            return;
        }
        boolean wake = completed;
        completed = false;
        holder = null;
        lock.unlock();
        if (wake) {
            wakeUp();
        }
    }

    /** A request is going to be completed; under the lock. */
    void completes() {
        completed = true;
    }

    /** Whether no message can come from there any more; of this rank itself, only if it is about to sleep. */
    boolean nobodySends(int source, int context, boolean alone) {
        return senders.nobodySends(source, context, alone, otherThreads, loop());
    }

    // ---- sleeping

    void announceSleep() {
        sleepers.add(Thread.currentThread());
    }

    void retractSleep() {
        sleepers.remove(Thread.currentThread());
    }

    boolean hasSleepers() {
        return !sleepers.isEmpty();
    }

    /** Wakes the threads that sleep. They have announced it before they looked for what is complete by now. */
    void wakeUp() {
        if (!sleepers.isEmpty()) {
            sleepers.forEach(LockSupport::unpark);
        }
    }

    // ---- progress, under the lock

    /** Goes on with what is under way; how much has moved. */
    int progress(boolean thoroughly) {
        int moved = operations.progress(thoroughly);
        if (departures.hasFailures()) { // what came before is heard first: that the peer leaves, for example
            moved += operations.progress(true) + departures.progress();
        }
        moves += moved;
        return moved;
    }

    /** Whether the descriptor shows the next event. */
    boolean arm() {
        return worker.arm();
    }

    /**
     * Makes the endpoint if there is none; false if it cannot be made. The next look acts on that: it first hears what the peer has
     * said, that it leaves, for example.
     */
    boolean connect(Peer peer) {
        if (peer.endpoint == 0) {
            try {
                peer.endpoint =
                        worker.connect(LongValues.get(wireup, peer.rank, ADDRESS), peer.rank, peer.rank != rank());
                FlightEvents.channelOpened(rank(), peer.rank, UCX);
                meet(peer);
            } catch (UcxException unreachable) {
                departures.failed(peer.rank, String.valueOf(unreachable.getMessage()));
                return false;
            }
        }
        return true;
    }

    void disconnect(Peer peer, boolean byForce) {
        if (peer.endpoint != 0) {
            long request = worker.disconnect(peer.endpoint, byForce);
            peer.endpoint = 0;
            if (request > 0) {
                operations.add(new Closing(), request);
            }
        }
    }

    /** What nobody is told the end of. */
    private abstract static class Untold extends Operation {
        @Override
        int peer() {
            return -1;
        }

        @Override
        void completed(int status) {
            // over in any case
        }
    }

    /** An endpoint that is being closed. */
    private static final class Closing extends Untold {}

    // ---- the end of this rank

    /** Looks, and waits a little if there is nothing, until something is so or the time is over. */
    private boolean progressUntil(BooleanSupplier condition, long nanos) {
        long end = System.nanoTime() + nanos;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            lock();
            int moved;
            try {
                moved = progress(true);
            } finally {
                unlock();
            }
            if (moved == 0) {
                LockSupport.parkNanos(20_000);
            }
        }
        return true;
    }

    /** Waits until the others know the end of this rank, at most so long. */
    void awaitFarewell(long nanos) {
        progressUntil(() -> departures.isKnown() && outbound.isQuiet(), nanos);
    }

    /**
     * Waits until what has been said last is at the peers, or they have ended, at most so long. An adapter asks a peer that has
     * ended for half a minute whether it has got what was sent; so the look tells which ones have.
     */
    void awaitLastWords(Runnable look, long nanos) {
        lock();
        try {
            for (Peer peer : peers) {
                if (peer.endpoint != 0 && peer.rank != rank()) {
                    long request = worker.flush(peer.endpoint);
                    if (request > 0) {
                        operations.add(new LastWords(), request);
                    }
                }
            }
        } finally {
            unlock();
        }
        progressUntil(
                () -> {
                    look.run();
                    return !operations.any(LastWords.class::isInstance);
                },
                nanos);
    }

    /** What has been said last is on its way; when this is over, it is there, or the peer is not. */
    private static final class LastWords extends Untold {}

    /** Frees everything; nobody else uses it any more. */
    @Override
    public void close() {
        lock();
        try {
            inbound.close();
            for (Peer peer : peers) {
                disconnect(peer, true); // what they had to get is there by now, or never will be
            }
        } finally {
            unlock();
        }
        boolean over = progressUntil(operations::isEmpty, CLOSE_NANOS);
        operations.abandon(); // those of peers that do not answer
        worker.close();
        if (over) { // else UCX may still write there
            arena.close();
        }
    }
}
