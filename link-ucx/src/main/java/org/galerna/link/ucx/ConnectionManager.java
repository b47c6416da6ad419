package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.support.Frames;
import org.galerna.link.support.LinkManager;
import org.galerna.link.support.Membership;

/** Completes the transfers of arrays, too, since they go by the control link. */
final class ConnectionManager extends LinkManager {
    private final UcxLink link;
    private final Membership membership;
    private volatile boolean left;

    // of the thread
    private final Deque<Peer> goodbyes = new ArrayDeque<>();
    private boolean leaving;

    ConnectionManager(String name, UcxLink link, Membership membership, Link control) {
        super(name, control);
        this.link = link;
        this.membership = membership;
    }

    // ---- from any thread

    @Override
    public void lose(int peer, String reason) {
        tell(() -> suspicions.add(peer, reason));
    }

    @Override
    public void rouse(int peer) {
        control.rouse(peer);
    }

    @Override
    public void leave() {
        tell(this::sayGoodbye);
    }

    @Override
    public boolean hasLeft() {
        return left;
    }

    // ---- the thread

    @Override
    protected boolean manage() {
        sendGoodbyes();
        suspicions.confirm(membership::isGone, this::confirm);
        return link.tick();
    }

    private void confirm(int peer, String reason) {
        if (!membership.isGone(peer) && membership.lose(peer, reason)) {
            link.wakeUp();
        }
    }

    private void sayGoodbye() {
        if (!leaving) {
            leaving = true;
            link.peers().stream()
                    .filter(peer -> link.sent(peer) > 0 && !membership.isGone(peer.rank))
                    .forEach(goodbyes::add);
            sendGoodbyes();
        }
    }

    private void sendGoodbyes() {
        goodbyes.removeIf(this::sendGoodbye);
        if (leaving && goodbyes.isEmpty() && !left) {
            control.stop();
            left = true;
            link.wakeUp();
        }
    }

    private boolean sendGoodbye(Peer peer) {
        try {
            Channel channel = control.connect(peer.rank);
            long claim = channel.claim(Long.BYTES);
            if (claim >= 0) {
                channel.memory().set(Frames.LONG, Channel.offset(claim), link.sent(peer));
                channel.commit(claim, Long.BYTES);
                channel.flush();
            }
            return claim != Channel.BACK_PRESSURE; // else nobody is left to care
        } catch (CommunicationException unknown) {
            return true;
        }
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        long messages = length == Long.BYTES ? memory.get(Frames.LONG, offset) : Membership.UNKNOWN;
        if (messages < 0) {
            lose(peer, "it does not keep to the protocol");
        } else {
            membership.announce(peer, messages);
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        if (membership.leave(peer, reason)) {
            link.wakeUp();
        }
    }
}
