package org.galerna.link.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;

/** The channel of a rank to itself, which needs no network. */
public final class Loopback implements Channel {
    private final Runnable onFlush;
    private final Consumer<Channel> onClose;
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
     * @param onFlush wakes the rank
     * @param onClose takes note of the end of the channel
     */
    public Loopback(
            int rank,
            int maximumFrame,
            int slots,
            int bytes,
            boolean concurrentClaims,
            Runnable onFlush,
            Consumer<Channel> onClose) {
        this.onFlush = onFlush;
        this.onClose = onClose;
        this.rank = rank;
        this.maximumFrame = maximumFrame;
        this.memory = Arena.ofAuto().allocate(RecordRing.bytes(slots, bytes), 128);
        RecordRing ring = RecordRing.create(memory, slots, bytes);
        this.producer = concurrentClaims ? new MpscProducer(ring) : new SpscProducer(ring);
        this.consumer = new RecordConsumer(ring);
    }

    /** Gives at most so many frames to the handler. Returns their number. */
    public int poll(FrameHandler handler, int limit) {
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
        onFlush.run();
    }

    @Override
    public void close() {
        closed = true;
        onClose.accept(this);
    }
}
