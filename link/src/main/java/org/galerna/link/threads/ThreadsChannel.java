package org.galerna.link.threads;

import org.galerna.link.support.RingChannel;
import org.galerna.memory.RecordRing;

/** A ring to another thread. */
final class ThreadsChannel extends RingChannel {
    private final ThreadsLink source;
    private final ThreadsLink target;
    private volatile boolean closed;

    ThreadsChannel(RecordRing ring, boolean concurrentClaims, ThreadsLink source, ThreadsLink target) {
        super(ring, concurrentClaims);
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
    protected boolean isGone() {
        return closed || target.isStopped();
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
