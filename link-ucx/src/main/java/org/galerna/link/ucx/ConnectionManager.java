package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Link;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.Frames;
import org.galerna.link.support.LinkManager;
import org.galerna.link.support.Membership;

/** Completes the transfers of arrays, too, since they go by the control link. */
final class ConnectionManager extends LinkManager {
    private final UcxLink link;
    private final Membership membership;
    private final ControlOutbox outbox; // of the thread

    /** A rank that leaves has sent so many messages. */
    private record Goodbye(long messages) implements ControlOutbox.Message {
        @Override
        public int bytes() {
            return Long.BYTES;
        }

        @Override
        public void write(MemorySegment memory, long at) {
            memory.set(Frames.LONG, at, messages);
        }
    }

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
                    .forEach(peer -> outbox.add(peer.rank, new Goodbye(link.sent(peer))));
            outbox.flush();
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
