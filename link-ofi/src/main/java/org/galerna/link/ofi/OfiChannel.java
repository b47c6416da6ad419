package org.galerna.link.ofi;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;

/** Frames to a peer: claimed in the ring of the way to it. */
final class OfiChannel implements Channel {
    private final OfiLink link;
    private final Peer peer;
    private final SendRing ring;
    private final MemorySegment memory;
    private final int maximumFrame;
    private volatile boolean closed;

    OfiChannel(OfiLink link, Peer peer, int maximumFrame) {
        this.link = link;
        this.peer = peer;
        this.ring = peer.ring();
        this.memory = ring.memory();
        this.maximumFrame = maximumFrame;
    }

    @Override
    public int peer() {
        return peer.peer();
    }

    @Override
    public long claim(int length) {
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        if (closed || !peer.isUp() || link.isStopped()) {
            return CLOSED;
        }
        long claim = ring.claim(length);
        if (claim == BACK_PRESSURE) { // who claims on many threads cannot poll on each of them
            flush();
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
        peer.flush();
        if (peer.isBlocked()) { // who only sends has nobody else who takes its credit
            link.progress();
            peer.flush();
        }
    }

    @Override
    public void close() {
        closed = true;
        peer.flush();
        link.forget(this);
    }
}
