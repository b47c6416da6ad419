package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;

/** Frames to a peer: claimed in the ring of the way to it, from which the network sends them. */
public abstract class SendRingChannel implements Channel {
    private final LinkBase link;
    private final SendRing ring;
    private final MemorySegment memory;
    private final int maximumFrame;
    private volatile boolean closed;

    protected SendRingChannel(LinkBase link, SendRing ring, int maximumFrame) {
        this.link = link;
        this.ring = ring;
        this.memory = ring.memory();
        this.maximumFrame = maximumFrame;
    }

    /** Whether frames may be sent to the peer. */
    protected abstract boolean isUp();

    /** Whether none may be sent any more. */
    protected boolean isGone() {
        return !isUp();
    }

    /** Sends what is committed. */
    protected abstract void send();

    /** Whether {@link #send} has left something behind. */
    protected abstract boolean isBlocked();

    /** Takes from the network what it tells of messages that were sent, so that there may be room. */
    protected abstract void makeRoom();

    @Override
    public final long claim(int length) {
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        if (!isUp() || closed || link.isStopped()) {
            return closed || link.isStopped() || isGone() ? CLOSED : BACK_PRESSURE;
        }
        long claim = ring.claim(length);
        if (claim == BACK_PRESSURE) { // many threads that claim cannot all poll
            makeRoom();
            claim = ring.claim(length);
        }
        return claim;
    }

    @Override
    public final MemorySegment memory() {
        return memory;
    }

    @Override
    public final void commit(long claim, int length) {
        ring.commit(claim, length, Frames.FRAME);
    }

    @Override
    public final void abort(long claim) {
        ring.abort(claim);
    }

    @Override
    public final void flush() {
        send();
        if (isBlocked()) { // a rank that only sends has nobody else that takes its credit
            makeRoom();
            send();
        }
    }

    @Override
    public final void close() {
        closed = true;
        send();
        link.forget(this);
    }
}
