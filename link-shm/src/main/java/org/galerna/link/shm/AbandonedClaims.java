package org.galerna.link.shm;

import java.util.function.IntPredicate;
import org.galerna.link.shm.file.QueueFile;

/**
 * Finds out whether a claim in a receive queue that is not committed is one of a dead sender. Used by the polling thread alone.
 *
 * <p><b>Argument.</b> The caller has seen the claim at a position, and that it is not committed. Its claimant had made its
 * count of claims odd before that, so the count that is read now is that odd one or a later one. It becomes even after the
 * commit only. So if a rank's count is even, or has changed since it was read first, and the rank owned the claim, the
 * commit happened before that read: the caller sees it when it looks again. Once this is so of all ranks that live, and the
 * caller still sees no commit, the claim is nobody's who lives. A rank that lives and is stopped, or waits for a
 * processor, is waited for.
 */
final class AbandonedClaims implements IntPredicate {
    private final QueueFile queue;
    private final IntPredicate isSilent;
    private final long[] claims; // of ranks that may own the claim; 0: does not
    private int examined = -1;

    /**
     * For a queue.
     *
     * @param isSilent whether a rank writes nothing any more: its process has ended, or the rank has left
     */
    AbandonedClaims(QueueFile queue, int ranks, IntPredicate isSilent) {
        this.queue = queue;
        this.isSilent = isSilent;
        this.claims = new long[ranks];
    }

    /** Whether the claim at a position of the queue is a dead sender's, if it is not committed when the caller looks again. */
    @Override
    public boolean test(int position) {
        if (examined != position) {
            examined = position;
            for (int rank = 0; rank < claims.length; rank++) {
                long now = queue.claimsOf(rank);
                claims[rank] = QueueFile.isOpen(now) ? now : 0;
            }
        }
        boolean ofDead = false;
        for (int rank = 0; rank < claims.length; rank++) {
            if (claims[rank] != 0 && queue.claimsOf(rank) != claims[rank]) {
                claims[rank] = 0;
            }
            if (claims[rank] != 0) {
                if (!isSilent.test(rank)) {
                    return false;
                }
                ofDead = true;
            }
        }
        return ofDead;
    }

    /** Records have been taken: the next claim that is examined is another one. */
    void forget() {
        examined = -1;
    }
}
