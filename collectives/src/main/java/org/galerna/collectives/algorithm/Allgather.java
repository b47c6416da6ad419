package org.galerna.collectives.algorithm;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** Blocks of all ranks get to all; also the varying kind, since every rank knows all the blocks. */
public interface Allgather extends Algorithm {
    /**
     * Completes the buffer of each rank.
     *
     * @param own the block of this rank as its caller gave it; possibly its very place in {@code buffer}
     * @param buffer where the blocks go; the block of this rank is in its place already
     * @param blocks where the block of each rank is in {@code buffer}, the same lengths on every rank
     */
    void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks);
}
