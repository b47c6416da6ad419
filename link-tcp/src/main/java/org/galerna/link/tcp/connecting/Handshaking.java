package org.galerna.link.tcp.connecting;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/** A connection that is not one yet. */
public final class Handshaking implements ManagerThread.Watcher {
    private final ConnectionManager manager;
    final SocketChannel channel;
    final Wire wire;
    final long deadline;
    final @Nullable Call call;

    @Nullable
    Handshake handshake;

    /** When the peer's system has let it in, of one that this rank has opened. */
    long letIn;

    Handshaking(ConnectionManager manager, SocketChannel channel, Wire wire, @Nullable Call call, long deadline) {
        this.manager = manager;
        this.channel = channel;
        this.wire = wire;
        this.call = call;
        this.deadline = deadline;
    }

    @Override
    public ConnectionManager manager() {
        return manager;
    }

    @Override
    public void ready(SelectionKey key) {
        manager.proceed(this);
    }

    /** Whether the peer's system has let it in, of one that this rank has opened. */
    boolean isLetIn() {
        return call != null && handshake != null;
    }

    /**
     * Whether it has no deadline: nobody else would answer sooner, so that it is waited for as long as the systems keep it up.
     * The peer may be stopped.
     */
    boolean mayWait() {
        return call != null
                && handshake instanceof Handshake.Initiator initiator
                && (initiator.hasProved() || call.hasOneCandidate());
    }

    /**
     * When to stop waiting for the other side. An acceptor that has our proof may have let us in already: leaving it
     * then, only to try another address, would be the loss of a connection to it.
     */
    long deadline() {
        return call != null && handshake instanceof Handshake.Initiator initiator && initiator.hasProved()
                ? call.deadline
                : deadline;
    }
}
