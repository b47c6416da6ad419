package org.galerna.link.threads;

import org.galerna.link.support.QueueChannel;
import org.jspecify.annotations.Nullable;

/** Frames to another thread through its queue. */
final class ThreadsQueueChannel extends QueueChannel {
    private final ThreadsLink source;
    private final ThreadsLink target;
    private final ReceiveQueue queue;
    private @Nullable Inbound next; // as claims
    private volatile boolean closed;

    ThreadsQueueChannel(ReceiveQueue queue, ThreadsLink source, ThreadsLink target) {
        super(source.rank(), queue.ring(), source.traits().maximumFrame());
        this.queue = queue;
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
        Inbound ring = source.reserveRing(target, queue);
        if (ring == null) {
            return REFUSED;
        }
        next = ring;
        return queue.announce(ring);
    }

    @Override
    protected void useRing() {
        Inbound ring = next;
        if (ring != null) {
            source.use(ring, this);
        }
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
