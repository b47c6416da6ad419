package org.galerna.link.shm.transfer;

import static org.galerna.link.shm.transfer.TransferLayout.BYTES;
import static org.galerna.link.shm.transfer.TransferLayout.BYTES_START;
import static org.galerna.link.shm.transfer.TransferLayout.DONE;
import static org.galerna.link.shm.transfer.TransferLayout.END_BYTES;
import static org.galerna.link.shm.transfer.TransferLayout.GET;
import static org.galerna.link.shm.transfer.TransferLayout.KEY;
import static org.galerna.link.shm.transfer.TransferLayout.KIND;
import static org.galerna.link.shm.transfer.TransferLayout.LENGTH;
import static org.galerna.link.shm.transfer.TransferLayout.LONG;
import static org.galerna.link.shm.transfer.TransferLayout.OFFSET;
import static org.galerna.link.shm.transfer.TransferLayout.PUT;
import static org.galerna.link.shm.transfer.TransferLayout.REFUSED;
import static org.galerna.link.shm.transfer.TransferLayout.REQUEST_BYTES;
import static org.galerna.link.shm.transfer.TransferLayout.UNREADABLE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.link.FrameHandler;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.support.RegionTable;
import org.galerna.memory.Buffers;
import org.galerna.memory.OwnerLock;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.jspecify.annotations.Nullable;

/** The transfers on this rank's regions that one peer asks for; the other side of {@link RequestedTransfers}. */
public final class ServedTransfers {
    private static final int CORRUPT = -1;

    private final int peer;
    private final PairFile file;
    private final RecordRing requests;
    private final RecordRing answers;
    private final RecordConsumer consumer;
    private final RecordProducer producer;
    private final RegionTable regions;
    private final FutexEvent bell;
    private final OwnerLock lock;
    private final AdaptiveCopy inward = AdaptiveCopy.fromRing(); // guarded by the lock
    private final AdaptiveCopy outward;

    // the transfer under way, guarded by the lock
    private int kind;
    private long key;
    private @Nullable MemorySegment memory;
    private long position;
    private long length;
    private int failure;
    private int end;
    private long copied;
    private boolean ended;

    // tokens of regions that have been read, until they are reported; guarded by the lock
    private long[] read = new long[8];
    private int reads;
    private volatile boolean isRead;

    public ServedTransfers(int peer, PairFile file, RegionTable regions, FutexEvent bell, OwnerLock lock) {
        this.peer = peer;
        this.file = file;
        this.requests = file.first();
        this.answers = file.second();
        this.consumer = new RecordConsumer(requests);
        this.producer = new SpscProducer(answers);
        this.regions = regions;
        this.bell = bell;
        this.lock = lock;
        this.outward = AdaptiveCopy.toRing(answers.memory().byteSize());
    }

    public int peer() {
        return peer;
    }

    /** Bytes copied so far; a racy look. */
    public long copied() {
        return copied;
    }

    /** Whether the peer has given the file back, after all that it had asked for was answered. */
    public boolean isGivenBack() {
        return file.isClosed();
    }

    /** Gives the memory of the file back. Regions that have been read may have to be reported still. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            file.discard();
        } finally {
            lock.unlock();
        }
    }

    /** Tells which regions the peer has read since the last time; by the polling thread. Returns how many. */
    public int report(FrameHandler handler) {
        int told = 0;
        while (isRead) {
            handler.onRegionRead(peer, takeRead());
            told++;
        }
        return told;
    }

    private long takeRead() {
        lock.lock();
        try {
            long oldest = read[0];
            reads--;
            System.arraycopy(read, 1, read, 0, reads);
            isRead = reads > 0;
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /** The peer wants no more of a region: its owner is told, if it wanted to know. */
    private void hasRead(long region) {
        long token = regions.takeToken(region, peer);
        if (token == RegionTable.NO_TOKEN) {
            return;
        }
        if (reads == read.length) {
            read = Arrays.copyOf(read, 2 * reads);
        }
        read[reads++] = token;
        isRead = true;
    }

    /**
     * Does what can be done at once, unless another thread is at it.
     *
     * @param budget bytes after which to stop
     * @return 1 if anything was done, 0 if not; -1 if the peer has written what nobody should
     */
    public int progress(long budget) {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            return ended ? 0 : move(budget);
        } finally {
            lock.unlock();
        }
    }

    /** Does all that can be done, after the peer has left. */
    public void takeLast() {
        lock.lock();
        try {
            if (!ended) {
                move(Long.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    private int move(long budget) {
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
    }

    /** Reads or writes one record. Returns what that is of the budget, 0 for nothing, -1 for what cannot be. */
    private long step() {
        if (kind == 0) {
            return takeRequest();
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
        long region = from.get(LONG, at + KEY);
        long offset = from.get(LONG, at + OFFSET);
        long bytes = from.get(LONG, at + LENGTH);
        consumer.release();
        if ((wanted != GET && wanted != PUT) || bytes < 0) {
            return CORRUPT;
        }
        position = 0;
        kind = (int) wanted;
        key = region;
        length = bytes;
        MemorySegment found = regions.find(region);
        boolean refused = found == null || offset < 0 || offset > found.byteSize() - bytes;
        memory = refused || found == null ? null : Buffers.segment(found, offset, bytes);
        failure = refused ? REFUSED : 0;
        if (kind == PUT ? bytes == 0 : refused) {
            end = refused ? REFUSED : DONE;
        }
        return 1;
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
        if (from == null || !copy(outward, from, position, to, at + BYTES_START, chunk)) {
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
        boolean copied =
                to != null && copy(inward, requests.memory(), consumer.offset() + BYTES_START, to, position, chunk);
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

    private boolean copy(AdaptiveCopy way, MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        try {
            way.copy(source, from, target, to, bytes);
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
        if (kind == GET) {
            hasRead(key);
        }
        kind = 0;
        end = 0;
        failure = 0;
        memory = null;
    }
}
