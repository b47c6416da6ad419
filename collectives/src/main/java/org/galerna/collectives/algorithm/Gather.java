package org.galerna.collectives.algorithm;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** Blocks of all ranks get to one; also the varying kind, where only the root knows the blocks of others. */
public interface Gather extends Algorithm {
    /**
     * Collects a block from each rank.
     *
     * @param send the block of this rank; not read on the root, whose own block is in its place already
     * @param length bytes of the block of this rank
     * @param receive where the blocks go; used on the root only
     * @param blocks where the block of each rank is in {@code receive}; on other ranks, only a gather with blocks of one
     *     length has them
     */
    void gather(
            Team team,
            Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks,
            int root);
}
