package org.galerna.link.shm.transfer;

import static org.galerna.link.shm.transfer.TransferLayout.BYTES;
import static org.galerna.link.shm.transfer.TransferLayout.BYTES_START;
import static org.galerna.link.shm.transfer.TransferLayout.DONE;
import static org.galerna.link.shm.transfer.TransferLayout.GET;
import static org.galerna.link.shm.transfer.TransferLayout.KEY;
import static org.galerna.link.shm.transfer.TransferLayout.KIND;
import static org.galerna.link.shm.transfer.TransferLayout.LENGTH;
import static org.galerna.link.shm.transfer.TransferLayout.LONG;
import static org.galerna.link.shm.transfer.TransferLayout.OFFSET;
import static org.galerna.link.shm.transfer.TransferLayout.PUT;
import static org.galerna.link.shm.transfer.TransferLayout.REFUSED;
import static org.galerna.link.shm.transfer.TransferLayout.REQUEST_BYTES;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.CommunicationException;
import org.galerna.link.PeerLostException;
import org.galerna.link.TransferCompletion;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.file.PairFile;
import org.galerna.memory.OwnerLock;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that this rank asks one peer for. They are asked for and answered in their order. Each step copies what
 * there is to copy and never waits; the two sides copy different chunks at the same time.
 */
public final class RequestedTransfers {
    private final int rank;
    private final int peer;
    private final PairFile file;
    private final RecordRing requests;
    private final RecordRing answers;
    private final RecordProducer producer;
    private final RecordConsumer consumer;
    private final FutexEvent bell;
    private final OwnerLock lock;
    private final AdaptiveCopy inward = AdaptiveCopy.fromRing(); // guarded by the lock, as all that follows
    private final AdaptiveCopy outward;
    private final Deque<Transfer> waiting = new ArrayDeque<>();
    private final Deque<Transfer> asked = new ArrayDeque<>();
    private final Deque<Transfer> over = new ArrayDeque<>(); // those that are to be reported
    private @Nullable Transfer spare; // so that a transfer after the other allocates nothing
    private @Nullable String broken;
    private boolean lost; // the peer is, which is why it is broken
    private boolean answered; // by the peer, which has mapped the file then
    private boolean closed;
    private volatile boolean busy;
    private volatile long lastUse;

    public RequestedTransfers(int rank, int peer, PairFile file, FutexEvent bell, OwnerLock lock) {
        this.rank = rank;
        this.peer = peer;
        this.file = file;
        this.requests = file.first();
        this.answers = file.second();
        this.producer = new SpscProducer(requests);
        this.consumer = new RecordConsumer(answers);
        this.bell = bell;
        this.lock = lock;
        this.outward = AdaptiveCopy.toRing(requests.memory().byteSize());
    }

    public int peer() {
        return peer;
    }

    /** One transfer. */
    private static final class Transfer {
        int kind;
        long key;
        long offset;
        MemorySegment local = MemorySegment.NULL;
        long length;
        long position;
        boolean requested;

        @Nullable
        TransferCompletion completion;

        @Nullable
        CommunicationException failure;

        void begin(int kind, long key, long offset, MemorySegment local, @Nullable TransferCompletion completion) {
            this.kind = kind;
            this.key = key;
            this.offset = offset;
            this.local = local;
            this.length = local.byteSize();
            this.position = 0;
            this.requested = false;
            this.completion = completion;
            this.failure = null;
        }

        /** Keeps nothing of what it was for. */
        void clear() {
            begin(0, 0, 0, MemorySegment.NULL, null);
        }
    }

    /**
     * Starts a transfer; its completion may be called before this returns.
     *
     * @param use number of the transfer, among all of this rank
     * @return false if the file has been given back: then another one is needed
     */
    public boolean start(
            boolean inward, long key, long offset, MemorySegment local, TransferCompletion completion, long use) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            lastUse = use;
            Transfer transfer = spare == null ? new Transfer() : spare;
            spare = null;
            transfer.begin(inward ? GET : PUT, key, offset, local, completion);
            if (broken == null) {
                waiting.add(transfer);
                busy = true;
                step(Long.MAX_VALUE);
            } else {
                end(transfer, brokenOff(transfer, broken));
            }
        } finally {
            lock.unlock();
        }
        report();
        return true;
    }

    /** The number of the last transfer. */
    public long lastUse() {
        return lastUse;
    }

    /**
     * Gives the file back if nothing is under way, and the peer has answered, so that it has mapped the file and looks for the next one
     * under the same name.
     *
     * @return whether it was; the peer is to be told
     */
    public boolean giveBack() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (closed || !answered || broken != null || !waiting.isEmpty() || !asked.isEmpty() || !over.isEmpty()) {
                return false;
            }
            closed = true;
            file.markClosed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Does what can be done at once, unless another thread is at it.
     *
     * @param budget bytes after which to stop
     * @return 1 if anything was done, 0 if not; -1 if the peer has written what nobody should
     */
    public int progress(long budget) {
        if (!busy || !lock.tryLock()) {
            return 0;
        }
        int done;
        try {
            done = step(budget);
        } finally {
            lock.unlock();
        }
        if (done != 0) {
            report();
        }
        return done;
    }

    /** Takes all bytes that are there, after the peer has left. */
    public void takeLast() {
        lock.lock();
        try {
            step(Long.MAX_VALUE);
        } finally {
            lock.unlock();
        }
        report();
    }

    /** Fails all transfers, those to come too: the peer is gone. */
    public void lose(String reason) {
        fail("rank " + peer + " is gone: " + reason, true);
    }

    /** Fails all transfers, those to come too. */
    public void fail(String reason) {
        fail(reason, false);
    }

    private void fail(String reason, boolean byLoss) {
        lock.lock();
        try {
            broken = reason;
            lost = byLoss;
            asked.removeAll(waiting); // those that are asked for and not put in full
            for (Transfer each : asked) {
                end(each, brokenOff(each, reason));
            }
            for (Transfer each : waiting) {
                end(each, brokenOff(each, reason));
            }
            asked.clear();
            waiting.clear();
        } finally {
            lock.unlock();
        }
        report();
    }

    /** Calls the completions of all that are over, without the lock; in their order, unless several threads do. */
    private void report() {
        while (true) {
            TransferCompletion completion;
            CommunicationException failure;
            lock.lock();
            try {
                busy = !waiting.isEmpty() || !asked.isEmpty();
                Transfer ended = over.poll();
                if (ended == null) {
                    return;
                }
                completion = ended.completion;
                failure = ended.failure;
                ended.clear();
                spare = ended;
            } finally {
                lock.unlock();
            }
            if (completion != null) {
                completion.completed(failure);
            }
        }
    }

    private int step(long budget) {
        long done = 0;
        while (done < budget) {
            long asking = ask();
            long answered = asked.isEmpty() ? 0 : takeAnswer();
            if (answered < 0) {
                return -1;
            }
            if (asking + answered == 0) {
                break;
            }
            done += asking + answered;
            bell.ring();
        }
        return done > 0 ? 1 : 0;
    }

    /** Writes one record, if there is one to write and room for it. Returns what that is of the budget, 0 for nothing. */
    private long ask() {
        Transfer transfer = waiting.peek();
        if (transfer == null) {
            return 0;
        }
        MemorySegment memory = requests.memory();
        if (!transfer.requested) {
            long claim = producer.claim(REQUEST_BYTES);
            if (claim < 0) {
                return 0;
            }
            long at = RecordProducer.offset(claim);
            memory.set(LONG, at + KIND, transfer.kind);
            memory.set(LONG, at + KEY, transfer.key);
            memory.set(LONG, at + OFFSET, transfer.offset);
            memory.set(LONG, at + LENGTH, transfer.length);
            producer.commit(claim, REQUEST_BYTES);
            transfer.requested = true;
            asked.add(transfer);
            if (transfer.kind == GET || transfer.length == 0) {
                waiting.remove();
            }
            return 1;
        }
        int chunk = TransferLayout.chunk(transfer.length - transfer.position);
        long claim = producer.claim(BYTES_START + chunk);
        if (claim < 0) {
            return 0;
        }
        long at = RecordProducer.offset(claim);
        memory.set(LONG, at + KIND, BYTES);
        copy(transfer, transfer.local, transfer.position, memory, at + BYTES_START, chunk);
        producer.commit(claim, BYTES_START + chunk);
        transfer.position += chunk;
        if (transfer.position == transfer.length) {
            waiting.remove();
        }
        return chunk;
    }

    /** Takes one record. Returns what that is of the budget, 0 for nothing, -1 for something that cannot be. */
    private long takeAnswer() {
        Transfer transfer = asked.getFirst();
        int length = consumer.poll();
        if (length < 0) {
            return length == RecordConsumer.EMPTY ? 0 : -1;
        }
        long at = consumer.offset();
        int kind =
                length < TransferLayout.END_BYTES ? 0 : (int) answers.memory().get(LONG, at + KIND);
        boolean sound = kind == BYTES ? takeBytes(transfer, at, length) : takeEnd(transfer, kind);
        consumer.release();
        answered = true;
        return sound ? Math.max(1, length) : -1;
    }

    private boolean takeBytes(Transfer transfer, long at, int length) {
        int chunk = length - BYTES_START;
        if (transfer.kind != GET || chunk < 0 || chunk > transfer.length - transfer.position) {
            return false;
        }
        copy(transfer, answers.memory(), at + BYTES_START, transfer.local, transfer.position, chunk);
        transfer.position += chunk;
        if (transfer.position == transfer.length) {
            asked.removeFirst();
            end(transfer, transfer.failure);
        }
        return chunk > 0 || transfer.length == 0;
    }

    private boolean takeEnd(Transfer transfer, int kind) {
        if (kind < DONE || kind > TransferLayout.UNREADABLE || (kind == DONE && transfer.kind == GET)) {
            return false;
        }
        if (transfer.equals(waiting.peek())) {
            return false; // answered before it was asked for in full
        }
        asked.removeFirst();
        CommunicationException failure = switch (kind) {
            case DONE -> transfer.failure;
            case REFUSED ->
                new CommunicationException("rank " + peer + " has no registered memory of " + transfer.length
                        + " bytes at offset " + transfer.offset + " under key " + transfer.key);
            default -> new CommunicationException(failed(transfer) + "rank " + peer + " cannot access its memory");
        };
        end(transfer, failure);
        return true;
    }

    private void copy(Transfer transfer, MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        try {
            (transfer.kind == GET ? inward : outward).copy(source, from, target, to, bytes);
        } catch (RuntimeException failure) { // memory that is freed, read-only, or another thread's alone
            transfer.failure = new CommunicationException(failed(transfer) + failure.getMessage(), failure);
        }
    }

    private CommunicationException brokenOff(Transfer transfer, String reason) {
        String text = failed(transfer) + reason;
        return lost ? new PeerLostException(text) : new CommunicationException(text);
    }

    private String failed(Transfer transfer) {
        return "rank " + rank + " could not copy " + transfer.length + " bytes "
                + (transfer.kind == GET ? "from the memory of rank " : "to the memory of rank ") + peer + ": ";
    }

    private void end(Transfer transfer, @Nullable CommunicationException failure) {
        transfer.failure = failure;
        over.add(transfer);
    }
}
