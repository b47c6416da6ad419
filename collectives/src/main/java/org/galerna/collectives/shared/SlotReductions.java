package org.galerna.collectives.shared;

import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Seat;
import org.galerna.collectives.team.Team;

/** Combining vectors that ranks have shown in their slots. */
public final class SlotReductions {
    private SlotReductions() {}

    /**
     * Combines the vectors of the first {@code ranks} ranks in their order.
     *
     * @param result where the result goes
     */
    public static void combine(
            Team team, Seat seat, int ranks, Object result, long resultOffset, int count, Reduction reduction) {
        combine(team, seat, ranks, (long) count * reduction.elementSize(), 0, result, resultOffset, count, reduction);
    }

    /**
     * Combines a part of the vectors of the first {@code ranks} ranks in their order.
     *
     * @param length bytes of the whole vector
     * @param start where the part begins in it, in bytes
     * @param count elements of the part
     */
    public static void combine(
            Team team,
            Seat seat,
            int ranks,
            long length,
            long start,
            Object result,
            long resultOffset,
            int count,
            Reduction reduction) {
        long bytes = (long) count * reduction.elementSize();
        seat.read(ranks - 1, length, start, result, resultOffset, bytes);
        if (ranks > 1) {
            Object left = team.scratch(reduction, count);
            for (int rank = ranks - 2; rank >= 0; rank--) {
                seat.read(rank, length, start, left, 0, bytes);
                reduction.apply(left, 0, result, resultOffset, count);
            }
        }
    }
}
