package org.galerna.link.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;

/** The channel of a rank to itself, which needs no adapter. */
final class Loopback implements Channel {
    private static final int SLOTS = 256;

    private final VerbsLink link;
    private final int rank;
    private final int maximumFrame;
    private final MemorySegment memory;
    private final RecordProducer producer;
    private final RecordConsumer consumer;
    private volatile boolean closed;

    /**
     * An empty ring.
     *
     * @param bytes space for longer frames, a power of two
     */
    Loopback(VerbsLink link, int maximumFrame, int bytes, boolean concurrentClaims) {
        this.link = link;
        this.rank = link.rank();
        this.maximumFrame = maximumFrame;
        this.memory = Arena.ofAuto().allocate(RecordRing.bytes(SLOTS, bytes), 128);
        RecordRing ring = RecordRing.create(memory, SLOTS, bytes);
        this.producer = concurrentClaims ? new MpscProducer(ring) : new SpscProducer(ring);
        this.consumer = new RecordConsumer(ring);
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
