package org.galerna.device.matching.engine;

import org.galerna.device.Conversation;
import org.galerna.device.DeviceException;
import org.galerna.device.SharedCondition;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.sending.Backlogs;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.Senders;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** Whether messages can still come when ranks have left, and what fails if they cannot. */
public final class Reachability {
    private final Membership membership;
    private final Senders senders;
    private final OtherThreads otherThreads;
    private final Backlogs backlogs;
    private final OwnerLock matchLock;
    private final Matching matching;
    private final Progress progress;
    private final Conversations conversations;

    public Reachability(
            Membership membership,
            Senders senders,
            OtherThreads otherThreads,
            Backlogs backlogs,
            OwnerLock matchLock,
            Matching matching,
            Progress progress,
            Conversations conversations) {
        this.membership = membership;
        this.senders = senders;
        this.otherThreads = otherThreads;
        this.backlogs = backlogs;
        this.matchLock = matchLock;
        this.matching = matching;
        this.progress = progress;
        this.conversations = conversations;
    }

    /**
     * Whether no message can come from there any more. What this rank itself may send counts unless the calling thread is
     * about to sleep and nobody else is left: then there is nothing on its way either.
     *
     * <p>Argument: a thread that could still send is counted, or has sent before it ended or went to sleep. In the latter
     * case its message lies in the ring, from where it is taken here or by whoever holds the lock, or in the backlog.
     */
    boolean nobodySends(int source, int context, boolean alone) {
        if (membership.isComplete()) {
            return false;
        }
        return switch (senders.left(source, context)) {
            case OTHERS -> false;
            case ITSELF -> alone && !otherThreads.mayAct() && backlogs.areEmpty() && !progress.make();
            case NOBODY, DEAD -> true;
        };
    }

    /** Whether a receive waits for a message, and none will come; see {@link #nobodySends}. */
    public boolean isHopeless(ReceiveRequest request, boolean alone) {
        if (!nobodySends(request.wantedSource, Envelope.context(request.wanted), alone)) {
            return false;
        }
        matchLock.lock();
        try {
            return matching.isPosted(request);
        } finally {
            matchLock.unlock();
        }
    }

    /** Fails a receive that {@link #isHopeless}. */
    public void failIfHopeless(ReceiveRequest request, boolean alone) {
        if (!nobodySends(request.wantedSource, Envelope.context(request.wanted), alone)) {
            return;
        }
        matchLock.lock();
        try {
            matching.failUnreachable(request);
        } finally {
            matchLock.unlock();
        }
    }

    /** Fails a thread that waits for a rank that is gone. */
    void failIfInVain(SharedCondition condition) {
        if (membership.isComplete()) {
            return;
        }
        for (int peer = 0; peer < membership.size(); peer++) {
            // in this order: what the peer did before it left is visible to the second question
            if (!membership.isThere(peer) && condition.needs(peer) && !condition.isDone()) {
                condition.failIfOutOfStep();
                throw membership.lost(condition.operation(), peer);
            }
        }
    }

    /**
     * Fails a receive of a collective if its peer has sent a message of a later one.
     *
     * <p>Argument: a rank receives what another one sends in the order in which that sends it. So a receive for which no
     * message has come, while another one has come from the same rank that nothing receives, will not get one any more.
     */
    public void failIfOutOfStep(ReceiveRequest request) {
        Conversation conversation = conversations.of(Envelope.context(request.wanted));
        if (conversation == null || request.isWildcard() || !conversation.isOrdered(Envelope.tag(request.wanted))) {
            return;
        }
        matchLock.lock();
        try {
            matching.failIfOutOfStep(request, conversation);
        } finally {
            matchLock.unlock();
        }
    }

    /** The failure of a receive or probe that nobody who is left could serve. */
    DeviceException unreachable(String operation, int source, int context) {
        return senders.unreachable(operation, source, context);
    }

    /** What a peer that has left in good order has called in place of what a message was awaited for; null if nothing. */
    @Nullable
    public String outOfStep(int context, int tag, int peer) {
        Conversation conversation = conversations.of(context);
        if (conversation == null || !membership.hasLeftInOrder(peer)) {
            return null;
        }
        matchLock.lock();
        try {
            return matching.outOfStep(Envelope.of(tag, context), peer, conversation);
        } finally {
            matchLock.unlock();
        }
    }
}
