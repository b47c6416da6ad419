package org.galerna.launch.report;

import java.util.List;

/**
 * Where a rank was at some moment.
 *
 * @param rank the rank
 * @param ended true if it had come to its end; it has no threads then
 * @param threads the platform threads of the rank, and the virtual ones that were in communication calls
 */
public record RankPosition(int rank, boolean ended, List<ThreadPosition> threads) {
    /** A position with the list copied. */
    public RankPosition {
        threads = List.copyOf(threads);
    }
}
