package org.galerna.link.tcp;

import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that is not one yet. */
final class Handshaking {
    final SocketChannel channel;
    final Wire wire;
    final long deadline;
    final @Nullable Call call;

    @Nullable
    Handshake handshake;

    Handshaking(SocketChannel channel, Wire wire, @Nullable Call call, long deadline) {
        this.channel = channel;
        this.wire = wire;
        this.call = call;
        this.deadline = deadline;
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
