package org.galerna.link.transfer;

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
import org.galerna.link.Wireup;
import org.galerna.link.counters.RankCounters;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/**
 * Large transfers of this rank: those that it asks for, and those that peers ask it to serve. Any thread begins one; the
 * polling thread does the rest.
 */
public final class Transfers implements TransferFrames, AutoCloseable {
    private final TransferNetwork network;
    private final StagingPool staging;
    private final RegistrationCache<AdapterMemory> cache;
    private final Regions regions;
    private final Queue<Work> begun = new ConcurrentLinkedQueue<>();
    private final List<Work> active = new ArrayList<>();
    private final Set<RemoteOperation> started = new HashSet<>();
    private final Map<Long, Transfer.Piece> asked = new HashMap<>(); // pieces that owners are to move, by number
    private final Deque<Answer> answers = new ArrayDeque<>(); // that there was no room for
    private final int[] readsUnderWay; // by peer
    private long numbers;

    /** Something that goes on as far as there is room. */
    public interface Work {
        TransferPeer peer();

        /** Goes on; true once there is nothing more to do. Does not block. */
        boolean advance();

        /** The peer is gone. */
        void giveUp(String reason);
    }

    private record Answer(TransferPeer to, TransferFrame frame) {}

    /**
     * Nothing is under way.
     *
     * @param registrar registers memory with the network
     * @param cachedRegions registrations that are kept at most
     * @param serveAll whether this rank moves the bytes of all its regions
     * @param wireup that of this rank
     */
    public Transfers(
            TransferNetwork network,
            RegistrationCache.Registrar<AdapterMemory> registrar,
            int cachedRegions,
            boolean serveAll,
            Wireup wireup) {
        this.network = network;
        this.staging = new StagingPool(
                registrar, () -> RankCounters.count(wireup.job(), wireup.rank(), RankCounters.STAGING_ALLOCATIONS));
        this.cache = new RegistrationCache<>(registrar, cachedRegions);
        this.regions = new Regions(cache, serveAll);
        this.readsUnderWay = new int[wireup.size()];
    }

    TransferNetwork network() {
        return network;
    }

    public StagingPool staging() {
        return staging;
    }

    RegistrationCache<AdapterMemory> cache() {
        return cache;
    }

    Regions regions() {
        return regions;
    }

    /** Begins; any thread. */
    public void begin(Work work) {
        begun.add(work);
    }

    /** Goes on with everything. */
    public void progress() {
        TransferNetwork.Finished next;
        while ((next = network.next()) != null) {
            if (started.remove(next.operation())) { // it was not given up before
                over(next.operation(), next.failure());
            }
        }
        Work work;
        while ((work = begun.poll()) != null) {
            active.add(work);
        }
        while (!answers.isEmpty() && answers.getFirst().to.sendTransfer(answers.getFirst().frame)) {
            answers.removeFirst();
        }
        if (!active.isEmpty()) {
            active.removeIf(Work::advance);
        }
    }

    private void over(RemoteOperation operation, @Nullable String failure) {
        if (operation.isRead()) {
            readsUnderWay[operation.peer().peer()]--;
        }
        operation.step().over(failure);
    }

    @Override
    public void onFrame(TransferPeer from, MemorySegment memory, long at, int length) throws ProtocolException {
        TransferFrame frame = TransferFrame.read(memory, at, length);
        if (frame.kind() == TransferFrame.OVER) {
            Transfer.Piece piece = asked.get(frame.number());
            if (piece == null || piece.peer() != from) {
                throw new ProtocolException("an answer to a question that was not asked");
            }
            asked.remove(frame.number());
            piece.over(frame.status() == TransferFrame.DONE ? null : TransferFrame.describe(frame.status()));
            return;
        }
        MemorySegment part = regions.find(frame.key(), frame.offset(), frame.length());
        if (part == null) {
            answer(from, TransferFrame.over(frame.number(), TransferFrame.NO_REGION));
        } else {
            active.add(new ServedTransfer(this, from, frame, part));
        }
    }

    /** Asks the owner of a region to move a piece; false if there is no room at the moment. */
    boolean ask(Transfer.Piece piece, TransferFrame frame) {
        if (!piece.peer().sendTransfer(frame)) {
            return false;
        }
        asked.put(frame.number(), piece);
        return true;
    }

    long nextNumber() {
        return ++numbers;
    }

    void answer(TransferPeer to, TransferFrame frame) {
        if (!answers.isEmpty() || !to.sendTransfer(frame)) {
            answers.addLast(new Answer(to, frame));
        }
    }

    /** Starts an operation; false if there is no room at the moment. */
    public boolean start(RemoteOperation operation) {
        TransferPeer peer = operation.peer();
        boolean read = operation.isRead();
        if ((read && readsUnderWay[peer.peer()] >= network.mostReads()) || !peer.start(operation)) {
            return false;
        }
        started.add(operation);
        if (read) {
            readsUnderWay[peer.peer()]++;
        }
        return true;
    }

    /** A peer is gone. */
    public void lose(TransferPeer peer, String reason) {
        progress();
        endAll(peer, reason);
    }

    /** Ends everything that is under way. */
    public void end(String reason) {
        progress();
        endAll(null, reason);
    }

    /** Lets registered memory go; when the network does not touch it any more. */
    @Override
    public void close() {
        staging.close();
        cache.close();
    }

    private void endAll(@Nullable TransferPeer peer, String reason) {
        answers.removeIf(answer -> peer == null || answer.to == peer);
        List<RemoteOperation> unfinished = started.stream()
                .filter(each -> peer == null || each.peer() == peer)
                .toList();
        started.removeAll(unfinished);
        unfinished.forEach(each -> over(each, reason));
        List<Transfer.Piece> unanswered = asked.values().stream()
                .filter(piece -> peer == null || piece.peer() == peer)
                .toList();
        asked.values().removeAll(unanswered);
        unanswered.forEach(piece -> piece.over(reason));
        for (Work work : List.copyOf(active)) {
            if (peer == null || work.peer() == peer) {
                active.remove(work);
                work.giveUp(reason);
            }
        }
    }
}
