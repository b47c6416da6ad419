package org.galerna.link.verbs.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.support.RegistrationCache;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.RemoteOperation;
import org.galerna.link.verbs.connection.TransferFrames;
import org.galerna.link.verbs.registered.Regions;
import org.galerna.link.verbs.registered.StagingPool;
import org.galerna.link.verbs.wire.ProtocolException;
import org.galerna.link.verbs.wire.TransferFrame;
import org.galerna.nativeaccess.verbs.MemoryRegion;

/**
 * Large transfers of this rank: those that it asks for, and those that peers ask it to serve. Any thread begins one; the
 * polling thread does the rest.
 */
public final class Transfers implements TransferFrames {
    private final StagingPool staging;
    private final RegistrationCache<MemoryRegion> cache;
    private final Regions regions;
    private final int reads;
    private final Queue<Work> begun = new ConcurrentLinkedQueue<>();
    private final List<Work> active = new ArrayList<>();
    private final Map<Long, TransferPiece> asked = new HashMap<>(); // pieces that owners are to move, by number
    private final Deque<Answer> answers = new ArrayDeque<>(); // that there was no room for
    private final int[] readsUnderWay; // by peer
    private long numbers;
    private long bytesRead;
    private long bytesWritten;

    /** Something that goes on as far as there is room. */
    interface Work {
        Connection connection();

        /** Goes on; true once there is nothing more to do. Does not block. */
        boolean advance();

        /** The peer is gone, and the adapter does not touch memory for it any more. */
        void giveUp(String reason);
    }

    private record Answer(Connection to, TransferFrame frame) {}

    public Transfers(
            StagingPool staging, RegistrationCache<MemoryRegion> cache, Regions regions, int reads, int ranks) {
        this.staging = staging;
        this.cache = cache;
        this.regions = regions;
        this.reads = reads;
        this.readsUnderWay = new int[ranks];
    }

    StagingPool staging() {
        return staging;
    }

    RegistrationCache<MemoryRegion> cache() {
        return cache;
    }

    /** Begins; any thread. */
    public void begin(Work work) {
        begun.add(work);
    }

    /** Goes on with everything. */
    public void progress(CompletionPoller completions) {
        CompletionPoller.Finished finished;
        while ((finished = completions.next()) != null) {
            over(finished);
        }
        Work next;
        while ((next = begun.poll()) != null) {
            active.add(next);
        }
        while (!answers.isEmpty() && answers.getFirst().to.sends().sendTransfer(answers.getFirst().frame)) {
            answers.removeFirst();
        }
        if (!active.isEmpty()) {
            active.removeIf(Work::advance);
        }
    }

    private static void over(CompletionPoller.Finished finished) {
        RemoteOperation.Step step = finished.operation().step();
        String failure = finished.failure();
        if (failure == null) {
            step.done();
        } else {
            step.failed(failure);
        }
    }

    boolean isIdle() {
        return active.isEmpty() && begun.isEmpty() && answers.isEmpty();
    }

    @Override
    public void onFrame(Connection from, MemorySegment memory, long at, int length) throws ProtocolException {
        TransferFrame frame = TransferFrame.read(memory, at, length);
        if (frame.kind() == TransferFrame.OVER) {
            TransferPiece piece = asked.get(frame.number());
            if (piece == null || piece.connection() != from) {
                throw new ProtocolException("an answer to a question that was not asked");
            }
            asked.remove(frame.number());
            piece.answered(frame.status());
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
    boolean ask(TransferPiece piece, TransferFrame frame) {
        if (!piece.connection().sends().sendTransfer(frame)) {
            return false;
        }
        asked.put(frame.number(), piece);
        return true;
    }

    long nextNumber() {
        return ++numbers;
    }

    void answer(Connection to, TransferFrame frame) {
        if (!answers.isEmpty() || !to.sends().sendTransfer(frame)) {
            answers.addLast(new Answer(to, frame));
        }
    }

    /** Starts an operation; false if there is no room at the moment. */
    boolean start(Connection connection, RemoteOperation operation) {
        int peer = connection.peer();
        if (operation.read() && readsUnderWay[peer] >= reads) {
            return false; // one more would hold up everything behind it
        }
        if (!connection.sends().start(operation)) {
            return false;
        }
        if (operation.read()) {
            readsUnderWay[peer]++;
            bytesRead += operation.length();
        } else {
            bytesWritten += operation.length();
        }
        return true;
    }

    /** A read is over. */
    void readOver(int peer) {
        readsUnderWay[peer]--;
    }

    /** Bytes that this rank has moved by RDMA reads and writes. */
    long bytesRead() {
        return bytesRead;
    }

    long bytesWritten() {
        return bytesWritten;
    }

    /** A peer is gone; what was posted to it is over already. */
    public void lose(Connection connection, String reason, CompletionPoller completions) {
        progress(completions);
        answers.removeIf(answer -> answer.to == connection);
        List<TransferPiece> unanswered = asked.values().stream()
                .filter(piece -> piece.connection() == connection)
                .toList();
        asked.values().removeAll(unanswered);
        unanswered.forEach(piece -> piece.failed(reason));
        for (Work work : List.copyOf(active)) {
            if (work.connection() == connection) {
                active.remove(work);
                work.giveUp(reason);
            }
        }
    }

    /** Ends everything. */
    public void close(String reason, CompletionPoller completions) {
        progress(completions);
        for (TransferPiece piece : List.copyOf(asked.values())) {
            piece.failed(reason);
        }
        asked.clear();
        for (Work work : List.copyOf(active)) {
            work.giveUp(reason);
        }
        active.clear();
    }
}
