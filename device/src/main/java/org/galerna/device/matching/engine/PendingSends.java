package org.galerna.device.matching.engine;

import java.util.List;
import org.galerna.device.Request;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.matching.request.RequestOwner;
import org.galerna.device.matching.request.SendPool;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.matching.request.SendTable;
import org.galerna.device.matching.sending.Peer;
import org.galerna.device.matching.sending.Peers;
import org.galerna.device.support.Membership;
import org.galerna.memory.OwnerLock;

/** Sends that were not completed at once: those that wait for room, and those that wait for an answer of their receiver. */
public final class PendingSends {
    private final RequestOwner owner;
    private final Peers peers;
    private final Membership membership;
    private final OwnerLock matchLock;
    private final SendPool pool;
    private final SendTable table = new SendTable(); // of those that wait for an answer; guarded by the match lock

    public PendingSends(RequestOwner owner, Peers peers, Membership membership, OwnerLock matchLock) {
        this.owner = owner;
        this.peers = peers;
        this.membership = membership;
        this.matchLock = matchLock;
        this.pool = new SendPool(owner);
    }

    /**
     * Starts a send that was not completed at once.
     *
     * @param eagerKind what it is if there is credit for its bytes
     */
    public Request start(
            int eagerKind, Object buffer, long offset, long length, int destination, int tag, int context) {
        Peer peer = peers.of(destination);
        boolean eager = length <= peer.eagerLimit && takeCredit(peer, length);
        SendRequest request = pool.take();
        request.start(eager ? eagerKind : FrameLayout.RTS, buffer, offset, length, destination, tag, context);
        matchLock.lock();
        try {
            if (!membership.isThere(destination) || membership.isClosed()) {
                throw membership.lost(request.operation(), destination);
            }
            if (request.kind != FrameLayout.EAGER) {
                table.add(request);
            }
        } finally {
            matchLock.unlock();
        }
        if (request.kind == FrameLayout.RTS) {
            request.expose(length <= peer.eagerLimit);
        }
        peer.send(request);
        return request;
    }

    /**
     * Takes the credit for a message, if need be after a look whether more has come. Whoever has credit does not look: a look goes to
     * all peers that something waits for, and a rank that sends to many would look at all of them once for each message.
     */
    private boolean takeCredit(Peer peer, long length) {
        if (peer.takeCredit(length, false)) {
            return true;
        }
        owner.progress().make();
        return peer.takeCredit(length, true);
    }

    /** The receiver has what it needs of a send. Inside the match lock, as all that follows. */
    void done(long sendId) {
        SendRequest request = table.remove(sendId);
        if (request != null) {
            request.end(null);
        }
    }

    /** The receiver has dropped a message. */
    void cancelled(long sendId) {
        SendRequest request = table.remove(sendId);
        if (request != null) {
            request.endCancelled();
        }
    }

    /**
     * Cancels a send that has not left this rank, or asks its receiver to be done with it; not again, and not if the send has
     * ended.
     */
    void askToCancel(SendRequest request) {
        if (request.isDone() || request.isHastened()) {
            return;
        }
        Peer receiver = peers.of(request.peer);
        if (receiver.withdraw(request)) {
            if (request.kind != FrameLayout.EAGER) {
                table.remove(request.id);
            }
            request.endCancelled();
        } else if (table.has(request)) {
            request.hasten();
            receiver.sendControl(FrameLayout.CANCEL, request.id);
        }
    }

    /** This rank is about to leave: its peers fetch what lies here and nobody waits for. */
    void leave() {
        for (SendRequest request : table.announced()) {
            if (!request.isHastened()) {
                request.hasten();
                peers.of(request.peer).sendControl(FrameLayout.KEEP, request.id);
            }
        }
    }

    /** Those whose bytes the receivers have not fetched yet. */
    List<SendRequest> announced() {
        return table.announced();
    }

    /** A peer is gone, and does not answer any more. */
    void failTo(int peer) {
        table.failTo(peer, membership);
    }
}
