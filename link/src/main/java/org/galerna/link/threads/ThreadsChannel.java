package org.galerna.link.threads;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.galerna.link.Channel;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.jspecify.annotations.Nullable;

/** A ring to another thread. */
final class ThreadsChannel implements Channel {
    private final RecordProducer producer;
    private final @Nullable SpscProducer only;
    private final MemorySegment memory;
    private final ThreadsLink source;
    private final ThreadsLink target;
    private volatile boolean closed;

    ThreadsChannel(RecordRing ring, RecordProducer producer, ThreadsLink source, ThreadsLink target) {
        this.producer = producer;
        this.only = producer instanceof SpscProducer spsc ? spsc : null;
        this.memory = ring.memory();
        this.source = source;
        this.target = target;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public int peer() {
        return target.rank();
    }

    @Override
    public long claim(int length) {
        return isGone() ? CLOSED : producer.claim(length);
    }

    private boolean isGone() {
        return closed || target.isStopped();
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
    public boolean beginsAtLines() {
        return true; // as records do that are no inline ones
    }

    @Override
    public boolean showsHeads() {
        return true;
    }

    @Override
    public long claimWithHead(int length, long head) {
        return isGone() ? CLOSED : producer.claimWithHead(length, head);
    }

    @Override
    public void commitContents(long claim) {
        producer.commitContents(claim);
    }

    @Override
    public boolean showsOpenFrames() {
        return only != null;
    }

    @Override
    public void show(long claim, int length) {
        Objects.requireNonNull(only).show(claim, length);
    }

    @Override
    public void prepare() {
        if (only != null) {
            only.prepare();
        }
    }

    @Override
    public void abort(long claim) {
        producer.abort(claim);
    }

    @Override
    public void flush() {
        target.wakeUp();
    }

    @Override
    public void close() {
        closed = true;
        source.forget(this);
        target.wakeUp(); // its next poll drops the ring
    }
}
