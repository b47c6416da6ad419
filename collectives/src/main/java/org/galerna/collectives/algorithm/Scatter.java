package org.galerna.collectives.algorithm;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** Each rank gets its block of one; also the varying kind, where only the root knows the blocks of others. */
public interface Scatter extends Algorithm {
    /**
     * Distributes a block to each rank.
     *
     * @param send the blocks; used on the root only
     * @param blocks where the block of each rank is in {@code send}; on other ranks, only a scatter with blocks of one
     *     length has them
     * @param receive where the block of this rank goes; not written on the root, which has copied its own block
     * @param length bytes of the block of this rank
     */
    void scatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            long length,
            int root);
}
