package org.galerna.link.threads;

import org.galerna.link.support.RingChannel;
import org.galerna.memory.RecordRing;

/** A ring to another thread. */
final class ThreadsChannel extends RingChannel {
    private final ThreadsLink source;
    private final ThreadsLink target;
    private volatile boolean closed;
    private volatile boolean released;

    ThreadsChannel(RecordRing ring, boolean concurrentClaims, ThreadsLink source, ThreadsLink target) {
        super(ring, concurrentClaims);
        this.source = source;
        this.target = target;
    }

    /** Whether nothing more is written into the ring. */
    boolean isClosed() {
        return closed;
    }

    ThreadsLink source() {
        return source;
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
    protected boolean isReleased() {
        return released && !target.isStopped();
    }

    @Override
    public void flush() {
        target.wakeUp();
    }

    @Override
    public void release() {
        if (!closed && source.usesQueues()) {
            released = true;
            close();
        }
    }

    @Override
    public void close() {
        closed = true;
        source.forget(this);
        target.wakeUp(); // its next poll drops the ring
    }
}
