package org.galerna.link.ucx;

import org.galerna.link.support.SendRing;
import org.galerna.link.support.SendRingChannel;

/** Frames to a peer by its endpoint. */
final class UcxChannel extends SendRingChannel {
    private final UcxLink link;
    private final Peer peer;

    UcxChannel(UcxLink link, Peer peer, SendRing ring) {
        super(link, ring, link.traits().maximumFrame());
        this.link = link;
        this.peer = peer;
    }

    @Override
    public int peer() {
        return peer.rank;
    }

    @Override
    protected boolean isUp() {
        return !peer.isGone();
    }

    @Override
    protected void send() {
        link.push(peer, false);
    }

    @Override
    protected boolean isBlocked() {
        return peer.isBlocked();
    }

    @Override
    protected void makeRoom() {
        link.push(peer, true);
    }
}
