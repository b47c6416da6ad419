package org.galerna.launch.rank;

/**
 * Unwinds the threads that a rank had when it ended, after their job is over. No program sees it before that, and
 * nobody reports it.
 */
final class RankEnded extends Error {
    private static final long serialVersionUID = 1L;

    RankEnded() {
        super("the job has ended", null, false, false);
    }
}
