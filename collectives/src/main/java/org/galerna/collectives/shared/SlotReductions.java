package org.galerna.collectives.shared;

import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Team;
import org.jspecify.annotations.Nullable;

/** Combining vectors that ranks have shown in their slots. */
public final class SlotReductions {
    private SlotReductions() {}

    /**
     * This rank's vector, if it can be combined from where it is; null if this rank has to show it to itself too, because
     * the result takes its place or because it is no memory of the reduction's.
     */
    public static @Nullable Object own(Object send, Object receive, Reduction reduction) {
        return send != receive && reduction.memoryType().isInstance(send) ? send : null;
    }

    /**
     * Combines the vectors of the first {@code ranks} ranks in their order.
     *
     * @param own as {@link #own} says
     * @param ownOffset where it begins
     * @param result where the result goes
     */
    public static void combine(
            Team team,
            HeapMember seat,
            int ranks,
            @Nullable Object own,
            long ownOffset,
            Object result,
            long resultOffset,
            int count,
            Reduction reduction) {
        long length = (long) count * reduction.elementSize();
        combine(team, seat, ranks, length, 0, own, ownOffset, result, resultOffset, count, reduction);
    }

    /**
     * Combines a part of the vectors of the first {@code ranks} ranks in their order.
     *
     * @param length bytes of the whole vector
     * @param start where the part begins in it, in bytes
     * @param own as {@link #own} says
     * @param ownOffset where its part begins
     * @param count elements of the part
     */
    public static void combine(
            Team team,
            HeapMember seat,
            int ranks,
            long length,
            long start,
            @Nullable Object own,
            long ownOffset,
            Object result,
            long resultOffset,
            int count,
            Reduction reduction) {
        long bytes = (long) count * reduction.elementSize();
        int last = ranks - 1;
        if (own != null && last == team.rank()) {
            Copying.copy(own, ownOffset, result, resultOffset, bytes);
        } else {
            seat.read(last, length, start, result, resultOffset, bytes);
        }
        Object left = null;
        for (int rank = last - 1; rank >= 0; rank--) {
            if (own != null && rank == team.rank()) {
                reduction.apply(own, ownOffset, result, resultOffset, count);
            } else {
                if (left == null) {
                    left = team.scratch(reduction, count);
                }
                seat.read(rank, length, start, left, 0, bytes);
                reduction.apply(left, 0, result, resultOffset, count);
            }
        }
    }
}
