package org.galerna.link.ofi;

import org.galerna.link.ofi.connection.Peer;
import org.galerna.link.support.SendRingChannel;

/** Frames to a peer by the way to it. */
final class OfiChannel extends SendRingChannel {
    private final OfiLink link;
    private final Peer peer;

    OfiChannel(OfiLink link, Peer peer, int maximumFrame) {
        super(link, peer.ring(), maximumFrame);
        this.link = link;
        this.peer = peer;
    }

    @Override
    public int peer() {
        return peer.peer();
    }

    @Override
    protected boolean isUp() {
        return peer.isUp();
    }

    @Override
    protected void send() {
        peer.flush();
    }

    @Override
    protected boolean isBlocked() {
        return peer.isBlocked();
    }

    @Override
    protected void makeRoom() {
        link.progress();
        peer.flush();
    }
}
