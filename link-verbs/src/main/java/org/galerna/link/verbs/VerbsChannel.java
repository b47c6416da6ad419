package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;

/** Frames to a peer: claimed in the ring of the connection to it. */
final class VerbsChannel implements Channel {
    private final VerbsLink link;
    private final Connection connection;
    private final SendRing ring;
    private final MemorySegment memory;
    private final int maximumFrame;
    private volatile boolean closed;

    VerbsChannel(VerbsLink link, Connection connection, int maximumFrame) {
        this.link = link;
        this.connection = connection;
        this.ring = connection.ring();
        this.memory = ring.memory();
        this.maximumFrame = maximumFrame;
    }

    @Override
    public int peer() {
        return connection.peer();
    }

    @Override
    public long claim(int length) {
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        if (!connection.isUp() || closed || link.isStopped()) {
            return closed || link.isStopped() || connection.state() == Connection.State.GONE ? CLOSED : BACK_PRESSURE;
        }
        long claim = ring.claim(length);
        if (claim == BACK_PRESSURE) { // who claims on many threads cannot poll on each of them
            link.harvest();
            connection.reclaim();
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
        connection.flush();
        if (connection.isBlocked()) { // who only sends has nobody else who takes its credit
            link.harvest();
            connection.flush();
        }
    }

    @Override
    public void close() {
        closed = true;
        connection.flush();
        link.forget(this);
    }
}
