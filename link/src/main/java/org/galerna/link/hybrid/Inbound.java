package org.galerna.link.hybrid;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.jspecify.annotations.Nullable;

/**
 * What comes in by one of several links. A link tells of every peer that leaves it, but a peer that is reached by another
 * link has only closed what it does not need. Used by the polling thread.
 */
final class Inbound implements FrameHandler {
    private final Link link;
    private final Routes routes;
    private @Nullable FrameHandler handler;
    private int hidden;

    Inbound(Link link, Routes routes) {
        this.link = link;
        this.routes = routes;
    }

    int poll(FrameHandler receiver, int limit) {
        handler = receiver;
        hidden = 0;
        return link.poll(this, limit) - hidden;
    }

    private FrameHandler handler() {
        FrameHandler receiver = handler;
        if (receiver == null) {
            throw new IllegalStateException("a frame outside of a poll");
        }
        return receiver;
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        handler().onFrame(peer, memory, offset, length);
    }

    @Override
    public void onOpenFrame(int peer, MemorySegment memory, long offset, int length) {
        handler().onOpenFrame(peer, memory, offset, length);
    }

    @Override
    public void onHead(int peer, long head, int length) {
        handler().onHead(peer, head, length);
    }

    @Override
    public void onContents(int peer, MemorySegment memory, long offset, int length) {
        handler().onContents(peer, memory, offset, length);
    }

    @Override
    public void onRegionRead(int peer, long token) {
        handler().onRegionRead(peer, token);
    }

    @Override
    public void onReleaseAsked(int peer) {
        handler().onReleaseAsked(peer);
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        if (routes.to(peer).link() == link) {
            handler().onPeerLost(peer, reason);
        } else {
            hidden++;
        }
    }

    @Override
    public void onPeerLeft(int peer) {
        if (routes.to(peer).link() == link) {
            handler().onPeerLeft(peer);
        } else {
            hidden++;
        }
    }
}
