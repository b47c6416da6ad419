package org.galerna.link.shm;

import static org.galerna.link.shm.TransferLayout.BYTES;
import static org.galerna.link.shm.TransferLayout.BYTES_START;
import static org.galerna.link.shm.TransferLayout.DONE;
import static org.galerna.link.shm.TransferLayout.EARLY;
import static org.galerna.link.shm.TransferLayout.END_BYTES;
import static org.galerna.link.shm.TransferLayout.GET;
import static org.galerna.link.shm.TransferLayout.KEY;
import static org.galerna.link.shm.TransferLayout.KIND;
import static org.galerna.link.shm.TransferLayout.LENGTH;
import static org.galerna.link.shm.TransferLayout.LONG;
import static org.galerna.link.shm.TransferLayout.OFFSET;
import static org.galerna.link.shm.TransferLayout.PUT;
import static org.galerna.link.shm.TransferLayout.REFUSED;
import static org.galerna.link.shm.TransferLayout.REQUEST_BYTES;
import static org.galerna.link.shm.TransferLayout.UNREADABLE;

import java.lang.foreign.MemorySegment;
import org.galerna.link.RegionTable;
import org.galerna.memory.OwnerLock;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.galerna.nativeaccess.MemoryCopy;
import org.jspecify.annotations.Nullable;

/** The transfers on this rank's regions that one peer asks for; the other side of {@link RequestedTransfers}. */
final class ServedTransfers {
    private static final int CORRUPT = -1;
    private static final long NONE = 0; // a key that no region has

    private final int peer;
    private final RecordRing requests;
    private final RecordRing answers;
    private final RecordConsumer consumer;
    private final RecordProducer producer;
    private final RegionTable regions;
    private final Bell bell;
    private final OwnerLock lock;

    // the transfer under way, guarded by the lock
    private int kind;
    private @Nullable MemorySegment memory;
    private long position;
    private long length;
    private int failure;
    private int end;
    private long copied;

    // the region that the peer is about to get, guarded by the lock
    private long early = NONE;
    private int earlyBytes; // how many of it are written; 0 before that

    ServedTransfers(int peer, PairFile file, RegionTable regions, Bell bell, OwnerLock lock) {
        this.peer = peer;
        this.requests = file.first();
        this.answers = file.second();
        this.consumer = new RecordConsumer(requests);
        this.producer = new SpscProducer(answers);
        this.regions = regions;
        this.bell = bell;
        this.lock = lock;
    }

    int peer() {
        return peer;
    }

    /** Bytes copied so far; a racy look. */
    long copied() {
        return copied;
    }

    /**
     * The peer is about to get a region from its start, and has not been told yet. Its first bytes are written by the next
     * {@link #progress} that has nothing else to do, while the peer's request is on its way, unless those of another region
     * still wait for its request.
     */
    void anticipate(long key) {
        lock.lock();
        try {
            if (earlyBytes == 0 || regions.find(early) == null) {
                early = key;
                earlyBytes = 0;
            }
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
    int progress(long budget) {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            long done = 0;
            while (done < budget) {
                long step = step();
                if (step <= 0) {
                    return step < 0 ? CORRUPT : done > 0 ? 1 : 0;
                }
                done += step;
                bell.ring();
            }
            return 1;
        } finally {
            lock.unlock();
        }
    }

    /** Reads or writes one record. Returns what that is of the budget, 0 for nothing, -1 for what cannot be. */
    private long step() {
        if (kind == 0) {
            long taken = takeRequest();
            return taken == 0 && early != NONE && earlyBytes == 0 ? writeEarly() : taken;
        }
        if (end != 0) {
            return writeEnd();
        }
        return kind == GET ? writeBytes() : takeBytes();
    }

    private long takeRequest() {
        int record = consumer.poll();
        if (record < 0) {
            return record == RecordConsumer.EMPTY ? 0 : CORRUPT;
        }
        if (record != REQUEST_BYTES) {
            return CORRUPT;
        }
        MemorySegment from = requests.memory();
        long at = consumer.offset();
        long wanted = from.get(LONG, at + KIND);
        long key = from.get(LONG, at + KEY);
        long offset = from.get(LONG, at + OFFSET);
        long bytes = from.get(LONG, at + LENGTH);
        consumer.release();
        if ((wanted != GET && wanted != PUT) || bytes < 0) {
            return CORRUPT;
        }
        if (wanted == GET && key == early && offset == 0) {
            position = Math.min(earlyBytes, bytes);
            early = NONE;
            earlyBytes = 0;
            if (position == bytes && position > 0) {
                return 1; // and the region may be closed by now
            }
        } else {
            position = 0;
        }
        kind = (int) wanted;
        length = bytes;
        MemorySegment region = regions.find(key);
        boolean refused = region == null || offset < 0 || offset > region.byteSize() - bytes;
        memory = refused || region == null ? null : region.asSlice(offset, bytes);
        failure = refused ? REFUSED : 0;
        if (kind == PUT ? bytes == 0 : refused) {
            end = refused ? REFUSED : DONE;
        }
        return 1;
    }

    private long writeEarly() {
        MemorySegment from = regions.find(early);
        int chunk = from == null ? 0 : TransferLayout.chunk(from.byteSize());
        if (from == null || chunk == 0) {
            early = NONE;
            return 0;
        }
        long claim = producer.claim(BYTES_START + chunk);
        if (claim < 0) {
            return 0;
        }
        long at = RecordProducer.offset(claim);
        MemorySegment to = answers.memory();
        if (!copy(from, 0, to, at + BYTES_START, chunk)) {
            producer.abort(claim);
            early = NONE; // whoever asks for it is told
            return 1;
        }
        to.set(LONG, at + KIND, EARLY);
        to.set(LONG, at + KEY, early);
        producer.commit(claim, BYTES_START + chunk);
        earlyBytes = chunk;
        return chunk + 1L;
    }

    private long writeBytes() {
        int chunk = TransferLayout.chunk(length - position);
        long claim = producer.claim(BYTES_START + chunk);
        if (claim < 0) {
            return 0;
        }
        long at = RecordProducer.offset(claim);
        MemorySegment to = answers.memory();
        MemorySegment from = memory;
        if (from == null || !copy(from, position, to, at + BYTES_START, chunk)) {
            producer.abort(claim);
            end = UNREADABLE;
            return 1;
        }
        to.set(LONG, at + KIND, BYTES);
        producer.commit(claim, BYTES_START + chunk);
        position += chunk;
        if (position == length) {
            over();
        }
        return chunk + 1L;
    }

    private long takeBytes() {
        int record = consumer.poll();
        if (record < 0) {
            return record == RecordConsumer.EMPTY ? 0 : CORRUPT;
        }
        int chunk = record - BYTES_START;
        if (chunk <= 0 || chunk > length - position || requests.memory().get(LONG, consumer.offset() + KIND) != BYTES) {
            return CORRUPT;
        }
        MemorySegment to = memory;
        boolean copied = to != null && copy(requests.memory(), consumer.offset() + BYTES_START, to, position, chunk);
        consumer.release();
        if (to != null && !copied) {
            failure = UNREADABLE; // bytes that follow are dropped, and the end says so
            memory = null;
        }
        position += chunk;
        if (position == length) {
            end = failure == 0 ? DONE : failure;
        }
        return chunk + 1L;
    }

    private boolean copy(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        try {
            MemoryCopy.copy(source, from, target, to, bytes);
            copied += bytes;
            return true;
        } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
            return false;
        }
    }

    private long writeEnd() {
        long claim = producer.claim(END_BYTES);
        if (claim < 0) {
            return 0;
        }
        answers.memory().set(LONG, RecordProducer.offset(claim) + KIND, end);
        producer.commit(claim, END_BYTES);
        over();
        return 1;
    }

    private void over() {
        kind = 0;
        end = 0;
        failure = 0;
        memory = null;
    }
}
