package org.galerna.link.threads;

import org.galerna.link.support.QueueChannel;
import org.galerna.memory.RecordRing;

/** Frames to another thread through its queue. */
final class ThreadsQueueChannel extends QueueChannel {
    private final ThreadsLink source;
    private final ThreadsLink target;
    private volatile boolean closed;

    ThreadsQueueChannel(RecordRing queue, ThreadsLink source, ThreadsLink target) {
        super(source.rank(), queue, source.traits().maximumFrame());
        this.source = source;
        this.target = target;
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
    protected int openRing() {
        return source.openRing(this, target);
    }

    @Override
    public void flush() {
        target.wakeUp();
    }

    @Override
    public void close() {
        closed = true;
        source.forget(this);
    }
}
