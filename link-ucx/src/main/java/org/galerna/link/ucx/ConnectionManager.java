package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Link;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.CountMessage;
import org.galerna.link.support.LinkManager;
import org.galerna.link.support.Membership;
import org.galerna.link.support.ProtocolException;

/** Completes the transfers of arrays, too, since they go by the control link. */
final class ConnectionManager extends LinkManager {
    private final UcxLink link;
    private final Membership membership;
    private final ControlOutbox outbox; // of the thread

    ConnectionManager(String name, UcxLink link, Membership membership, Link control) {
        super(name, control);
        this.link = link;
        this.membership = membership;
        this.outbox = new ControlOutbox(control, (_, _) -> {}, () -> true, link::wakeUp);
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

    /** Tells a peer how many of its messages the program has taken. */
    void taken(int peer, long messages) {
        tell(() -> outbox.sendLater(peer, new CountMessage(ControlMessage.TAKEN, messages)));
    }

    @Override
    public void leave() {
        tell(this::sayGoodbye);
    }

    @Override
    public boolean hasLeft() {
        return outbox.isClosed();
    }

    // ---- the thread

    @Override
    protected boolean manage() {
        outbox.flush();
        suspicions.confirm(membership::isGone, this::confirm);
        return link.tick();
    }

    private void confirm(int peer, String reason) {
        if (!membership.isGone(peer) && membership.lose(peer, reason)) {
            link.wakeUp();
        }
    }

    private void sayGoodbye() {
        if (outbox.leave(_ -> true)) {
            link.peers().stream()
                    .filter(peer -> link.sent(peer) > 0 && !membership.isGone(peer.rank))
                    .forEach(peer -> outbox.add(peer.rank, new CountMessage(ControlMessage.LEAVING, link.sent(peer))));
            outbox.flush();
        }
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        try {
            CountMessage message = ControlMessage.read(memory, offset, length);
            if (message.kind() == ControlMessage.LEAVING) {
                membership.announce(peer, message.messages());
            } else {
                link.taken(peer, message.messages());
            }
        } catch (ProtocolException wrong) {
            lose(peer, "it does not keep to the protocol: " + wrong.getMessage());
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
