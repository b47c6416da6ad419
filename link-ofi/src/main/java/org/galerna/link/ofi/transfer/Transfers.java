package org.galerna.link.ofi.transfer;

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
import org.galerna.link.ofi.adapter.Engine;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.ofi.connection.RemoteOperation;
import org.galerna.link.ofi.connection.TransferFrames;
import org.galerna.link.ofi.registered.Regions;
import org.galerna.link.ofi.registered.StagingPool;
import org.galerna.link.ofi.wire.ProtocolException;
import org.galerna.link.ofi.wire.TransferFrame;
import org.galerna.link.support.RegistrationCache;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * Large transfers of this rank: those that it asks for, and those that peers ask it to serve. Any thread begins one; the
 * polling thread does the rest.
 */
public final class Transfers implements TransferFrames, RemoteOperation.Listener {
    private final Engine engine;
    private final OfiOptions options;
    private final StagingPool staging;
    private final RegistrationCache<Engine.Registered> cache;
    private final Regions regions;
    private final Queue<Work> begun = new ConcurrentLinkedQueue<>();
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();
    private final List<Work> active = new ArrayList<>();
    private final Set<RemoteOperation> started = new HashSet<>();
    private final Map<Long, Transfer.Piece> asked = new HashMap<>(); // pieces that owners are to move, by number
    private final Deque<Answer> answers = new ArrayDeque<>(); // that there was no room for
    private long numbers;
    private long bytesRead;
    private long bytesWritten;

    /** Something that goes on as far as there is room. */
    interface Work {
        Peer peer();

        /** Goes on; true once there is nothing more to do. Does not block. */
        boolean advance();

        /** The peer is gone. */
        void giveUp(String reason);
    }

    private record Answer(Peer to, TransferFrame frame) {}

    private record Finished(
            RemoteOperation operation, @Nullable String failure) {}

    public Transfers(
            Engine engine,
            OfiOptions options,
            StagingPool staging,
            RegistrationCache<Engine.Registered> cache,
            Regions regions) {
        this.engine = engine;
        this.options = options;
        this.staging = staging;
        this.cache = cache;
        this.regions = regions;
    }

    StagingPool staging() {
        return staging;
    }

    RegistrationCache<Engine.Registered> cache() {
        return cache;
    }

    boolean needsLocalRegistration() {
        return engine.endpoint().needsLocalRegistration();
    }

    /** Most bytes of one operation. */
    int mostBytes() {
        return engine.endpoint().mostBytes();
    }

    /**
     * Whether the receiver reads by itself: short messages, because it need not wait for the sender. Longer ones are written by
     * the sender, and so is what lies where the network does not read.
     */
    boolean isRead(long bytes, long local, long remote) {
        return bytes <= options.getLimit() && ((local | remote | bytes) & (options.getAlignment() - 1)) == 0;
    }

    /** Begins; any thread. */
    public void begin(Work work) {
        begun.add(work);
    }

    @Override
    public void finished(RemoteOperation operation, @Nullable String failure) {
        finished.add(new Finished(operation, failure));
    }

    /** Goes on with everything. */
    public void progress() {
        Finished next;
        while ((next = finished.poll()) != null) {
            if (started.remove(next.operation)) { // it was not given up before
                next.operation.step().over(next.failure);
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

    @Override
    public void onFrame(Peer from, MemorySegment memory, long at, int length) throws ProtocolException {
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

    void answer(Peer to, TransferFrame frame) {
        if (!answers.isEmpty() || !to.sendTransfer(frame)) {
            answers.addLast(new Answer(to, frame));
        }
    }

    /** Starts an operation; false if there is no room at the moment. */
    boolean start(RemoteOperation operation) {
        String failure;
        engine.lock();
        try {
            if (engine.isClosed()
                    || !operation.peer().isUp()
                    || !operation.peer().isConnected()) {
                return false;
            }
            int index = engine.begin(operation);
            if (index == Engine.NO_ROOM) {
                return false;
            }
            int status = operation.start(engine.endpoint(), engine.context(index));
            if (status != 0) {
                engine.cancel(index);
                if (OfiEndpoint.isBusy(status)) {
                    return false;
                }
                failure = engine.endpoint().describe(status);
            } else {
                failure = null;
            }
        } finally {
            engine.unlock();
        }
        started.add(operation);
        if (failure != null) {
            finished(operation, failure);
        } else if (operation.isRead()) {
            bytesRead += operation.length();
        } else {
            bytesWritten += operation.length();
        }
        return true;
    }

    /** Whether nothing is to be done. */
    boolean isIdle() {
        return active.isEmpty() && begun.isEmpty() && answers.isEmpty() && finished.isEmpty();
    }

    /** Bytes that this rank has moved by reads of other's memory. */
    long bytesRead() {
        return bytesRead;
    }

    /** Bytes that this rank has moved by writes to other's memory. */
    long bytesWritten() {
        return bytesWritten;
    }

    /** A peer is gone. */
    public void lose(Peer peer, String reason) {
        progress();
        endAll(peer, reason);
    }

    /** Ends everything. */
    public void close(String reason) {
        progress();
        endAll(null, reason);
    }

    private void endAll(@Nullable Peer peer, String reason) {
        answers.removeIf(answer -> peer == null || answer.to == peer);
        List<RemoteOperation> unfinished = started.stream()
                .filter(each -> peer == null || each.peer() == peer)
                .toList();
        started.removeAll(unfinished);
        unfinished.forEach(each -> each.step().over(reason));
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
