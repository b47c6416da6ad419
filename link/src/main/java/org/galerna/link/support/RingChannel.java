package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import org.galerna.link.EarlyChannel;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.jspecify.annotations.Nullable;

/** A channel whose frames are the records of a ring that the peer reads itself. */
public abstract class RingChannel implements EarlyChannel {
    private final RecordProducer producer;
    private final @Nullable SpscProducer only;
    private final MemorySegment memory;

    /** Frames for a ring that nobody else writes, unless several threads are to claim at once. */
    protected RingChannel(RecordRing ring, boolean concurrentClaims) {
        this.only = concurrentClaims ? null : new SpscProducer(ring);
        this.producer = only == null ? new MpscProducer(ring) : only;
        this.memory = ring.memory();
    }

    /** Whether the peer is gone, or this channel is closed or released. */
    protected abstract boolean isGone();

    /** Whether this channel has been released. */
    protected boolean isReleased() {
        return false;
    }

    private long refusal() {
        return isReleased() ? MOVED : CLOSED;
    }

    @Override
    public final @Nullable EarlyChannel early() {
        return only == null ? null : this;
    }

    @Override
    public final MemorySegment memory() {
        return memory;
    }

    @Override
    public final long claim(int length) {
        return isGone() ? refusal() : producer.claim(length);
    }

    @Override
    public final void commit(long claim, int length) {
        producer.commit(claim, length);
    }

    @Override
    public final void abort(long claim) {
        producer.abort(claim);
    }

    @Override
    public final long claimWithHead(int length, long head) {
        return isGone() ? refusal() : producer.claimWithHead(length, head);
    }

    @Override
    public final void commitContents(long claim) {
        producer.commitContents(claim);
    }

    @Override
    public final void show(long claim, int length) {
        alone().show(claim, length);
    }

    @Override
    public final void prepare() {
        alone().prepare();
    }

    private SpscProducer alone() {
        SpscProducer mine = only;
        if (mine == null) {
            throw new IllegalStateException("a channel on which several threads claim publishes nothing early");
        }
        return mine;
    }
}
