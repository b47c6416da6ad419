package org.galerna.link.tcp;

import java.util.Arrays;
import org.galerna.link.Link;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.stream.Connection;

/** What a link over sockets has open at the moment; racy looks. */
record LinkState(SocketLink link) {
    static LinkState of(Link link) {
        return new LinkState((SocketLink) link);
    }

    private Membership membership() {
        return link.membership();
    }

    /** Number of peers that there is a connection to. */
    int connections() {
        return membership().connected().length;
    }

    /** Number of peers to which there is a ring for frames. */
    long rings() {
        return Arrays.stream(membership().connected())
                .filter(each -> each.out().ringPosition() != 0)
                .count();
    }

    /** Connections that have come by an entrance and are not answered yet. */
    int waitingArrivals() {
        return link.manager().waitingArrivals();
    }

    /** Whether this rank has left its connection to a peer, and has no other. */
    boolean isPaused(int peer) {
        Connection connection = membership().connection(peer);
        return connection.hasBegun() && connection.out().wire() == null;
    }

    /** Whether there is a connection to a peer, to write to or to read from. */
    boolean isConnected(int peer) {
        return membership().isConnected(peer);
    }

    /** Whether this rank opens a connection to a peer. */
    boolean isCalling(int peer) {
        return membership().isCalling(peer);
    }

    /** Whether nothing waits to be written to a peer. */
    boolean hasSentAll(int peer) {
        return !membership().connection(peer).out().hasPending();
    }
}
