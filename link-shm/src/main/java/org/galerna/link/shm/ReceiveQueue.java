package org.galerna.link.shm;

import org.galerna.link.FrameHandler;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.file.QueueFile;
import org.galerna.link.support.QueueFrames;
import org.galerna.link.support.RingWishes;

/**
 * The queue that all may write to who have something for a rank of a larger job, and what it means for the rings of busy
 * pairs. Used by the polling thread alone.
 */
final class ReceiveQueue implements QueueFrames.Rings {
    private final QueueFile file;
    private final QueueFrames frames;
    private final AbandonedClaims abandoned;
    private final Membership membership;
    private final Inbox inbox;
    private final RingWishes wishes;

    /**
     * The queue of a rank.
     *
     * @param ranks size of the job
     */
    ReceiveQueue(QueueFile file, int ranks, Membership membership, Inbox inbox) {
        this.file = file;
        this.frames = new QueueFrames(file.ring(), ranks, this);
        this.membership = membership;
        this.inbox = inbox;
        this.wishes = new RingWishes(file.limit());
        this.abandoned = new AbandonedClaims(file, ranks, membership::isSilent);
    }

    int poll(FrameHandler handler, int limit) {
        if (frames.isCorrupt()) {
            return 0;
        }
        int handled = frames.poll(handler, limit);
        if (frames.isCorrupt()) {
            membership.distrustAll();
        } else if (inbox.hasLosses()) {
            if (handled > 0) {
                abandoned.forget();
            }
            handled += frames.skip(abandoned);
        }
        return handled;
    }

    int end() {
        return frames.end();
    }

    /** Whether everything up to such an {@link #end} has been taken, or nothing can be taken any more. */
    boolean hasPassed(int end) {
        return frames.isCorrupt() || frames.hasPassed(end);
    }

    @Override
    public void begin(int peer, int ring) {
        inbox.openRing(peer, ring);
    }

    @Override
    public boolean resume(int peer, FrameHandler handler) {
        inbox.endRings(peer, handler);
        return !inbox.isLost(peer);
    }

    /** A ring is not polled any more. */
    void giveBack() {
        file.giveBack();
    }

    /** Has the sender of a ring give it up, if others want one and it is silent. */
    void takeBackSilent(Inbox.Inbound[] inbound) {
        int asker = file.takeAsker();
        if (asker == QueueFile.NOBODY) {
            return;
        }
        for (Inbox.Inbound silent : wishes.review(asker, inbound, each -> each.frames)) {
            silent.file.askForRelease();
            membership.raise(silent.peer);
        }
    }
}
