package org.galerna.link.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.FrameHandler;
import org.galerna.link.RegionTable;
import org.galerna.link.TransferCompletion;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;

/** The channel of a rank to itself, which needs no socket. */
final class Loopback implements Channel {
    private final SocketLink link;
    private final int rank;
    private final int maximumFrame;
    private final MemorySegment memory;
    private final RecordProducer producer;
    private final RecordConsumer consumer;
    private volatile boolean closed;

    /**
     * An empty ring.
     *
     * @param slots frames in flight, a power of two
     * @param bytes space for longer frames, a power of two
     */
    Loopback(SocketLink link, int rank, int maximumFrame, int slots, int bytes, boolean concurrentClaims) {
        this.link = link;
        this.rank = rank;
        this.maximumFrame = maximumFrame;
        this.memory = Arena.ofAuto().allocate(RecordRing.bytes(slots, bytes), 128);
        RecordRing ring = RecordRing.create(memory, slots, bytes);
        this.producer = concurrentClaims ? new MpscProducer(ring) : new SpscProducer(ring);
        this.consumer = new RecordConsumer(ring);
    }

    /** A get or put of this rank's own memory, which is one copy. */
    static void transfer(
            RegionTable regions,
            int rank,
            boolean inward,
            long key,
            long remoteOffset,
            MemorySegment local,
            TransferCompletion completion) {
        MemorySegment part = regions.find(key, remoteOffset, local.byteSize());
        CommunicationException failure = null;
        if (part == null) {
            failure = new CommunicationException("rank " + rank + " has no registered memory of " + local.byteSize()
                    + " bytes at offset " + remoteOffset + " under key " + key);
        } else {
            try {
                MemorySegment.copy(inward ? part : local, 0, inward ? local : part, 0, local.byteSize());
            } catch (RuntimeException inaccessible) { // freed, read-only, or another thread's alone
                failure = new CommunicationException(
                        "rank " + rank + " could not copy " + local.byteSize() + " bytes within its memory: "
                                + inaccessible.getMessage(),
                        inaccessible);
            }
        }
        completion.completed(failure);
    }

    int poll(FrameHandler handler, int limit) {
        int handled = 0;
        int length;
        while (handled < limit && (length = consumer.poll()) >= 0) {
            try {
                handler.onFrame(rank, memory, consumer.offset(), length);
            } finally {
                consumer.release();
            }
            handled++;
        }
        return handled;
    }

    /** Whether nothing will come any more. */
    boolean isOver() {
        return closed && consumer.poll() < 0;
    }

    @Override
    public int peer() {
        return rank;
    }

    @Override
    public long claim(int length) {
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        return closed ? CLOSED : producer.claim(length);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void commit(long claim, int length) {
        producer.commit(claim, length);
    }

    @Override
    public void abort(long claim) {
        producer.abort(claim);
    }

    @Override
    public void flush() {
        link.wakeUp();
    }

    @Override
    public void close() {
        closed = true;
        link.forget(this);
    }
}
