package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;

/** Frames to a peer, claimed in its ring. */
final class UcxChannel implements Channel {
    private final UcxLink link;
    private final Peer peer;
    private final SendRing ring;
    private final MemorySegment memory;
    private volatile boolean closed;

    UcxChannel(UcxLink link, Peer peer, SendRing ring) {
        this.link = link;
        this.peer = peer;
        this.ring = ring;
        this.memory = ring.memory();
    }

    @Override
    public int peer() {
        return peer.rank;
    }

    @Override
    public long claim(int length) {
        if (length > link.traits().maximumFrame()) {
            return TOO_LONG;
        }
        if (closed || link.isStopped() || peer.isGone()) {
            return CLOSED;
        }
        long claim = ring.claim(length);
        if (claim == BACK_PRESSURE) { // who claims on many threads cannot poll on each of them
            link.push(peer, true);
            claim = ring.claim(length);
        }
        return claim;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void commit(long claim, int length) {
        ring.commit(claim, length, Frames.FRAME);
    }

    @Override
    public void abort(long claim) {
        ring.abort(claim);
    }

    @Override
    public void flush() {
        link.push(peer, false);
        if (peer.isBlocked()) { // who only sends has nobody else who lets UCX go on
            link.push(peer, true);
        }
    }

    @Override
    public void close() {
        closed = true;
        link.push(peer, false);
        link.forget(this);
    }
}
