package org.galerna.link.tcp;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.OutboundRing;
import org.jspecify.annotations.Nullable;

/** Frames to a peer: claimed in the ring of the connection to it. */
final class PeerChannel implements Channel {
    /** Fewer bytes cost less to copy than to have the system called once more. */
    private static final int LEAST_IN_PLACE = 32 * 1024;

    private final SocketLink link;
    private final Connection connection;
    private final int maximumFrame;
    private @Nullable OutboundRing ring;
    private boolean released; // as claims
    private volatile boolean closed;

    PeerChannel(SocketLink link, Connection connection, int maximumFrame) {
        this.link = link;
        this.connection = connection;
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
        if (closed || connection.isClosed()) {
            return CLOSED;
        }
        OutboundRing to = ring;
        if (to == null) {
            if (released) {
                return MOVED;
            }
            if (!connection.hasBegun()) {
                return BACK_PRESSURE;
            }
            to = connection.out().ring();
            ring = to;
        }
        long claim = to.claim(length);
        if (claim == BACK_PRESSURE && connection.out().isBlocked()) {
            connection.out().flush(); // who claims on many threads cannot poll on each of them
        }
        return claim;
    }

    private OutboundRing claimed() {
        OutboundRing to = ring;
        if (to == null) {
            throw new IllegalStateException("nothing has been claimed on the channel to rank " + peer());
        }
        return to;
    }

    @Override
    public MemorySegment memory() {
        return claimed().memory();
    }

    @Override
    public void commit(long claim, int length) {
        claimed().commit(claim, length);
    }

    @Override
    public void commit(long claim, int head, Object array, long offset, int length) {
        if (length < LEAST_IN_PLACE || !connection.out().send(claimed(), claim, head, array, offset, length)) {
            Channel.super.commit(claim, head, array, offset, length);
        }
    }

    @Override
    public void abort(long claim) {
        claimed().abort(claim);
    }

    @Override
    public void flush() {
        connection.out().flush();
    }

    @Override
    public void release() {
        if (ring != null && !closed && connection.out().releaseRing()) {
            ring = null;
            released = true;
            link.forget(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        connection.out().flush();
        link.forget(this);
    }
}
