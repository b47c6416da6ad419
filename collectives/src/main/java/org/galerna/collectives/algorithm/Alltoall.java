package org.galerna.collectives.algorithm;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/** Each rank sends a block to each other; also the varying kind, where a rank knows its own blocks alone. */
public interface Alltoall extends Algorithm {
    /**
     * Exchanges the blocks with the others; the block that this rank has for itself has been copied already. The two
     * buffers do not overlap.
     *
     * @param sendBlocks where the block for each rank is in {@code send}
     * @param receiveBlocks where the block from each rank goes in {@code receive}
     */
    void alltoall(
            Team team,
            Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks);
}
