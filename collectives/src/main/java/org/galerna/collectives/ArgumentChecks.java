package org.galerna.collectives;

import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a collective operation must be given.
 *
 * @param team whose members call
 */
record ArgumentChecks(Team team) {
    /** The root is a rank. */
    void root(int root) {
        if (root < 0 || root >= team.size()) {
            throw new IllegalArgumentException("root " + root + " is not a rank of 0 to " + (team.size() - 1));
        }
    }

    /** The blocks of all ranks, which the root has to know. */
    Blocks ofRoot(@Nullable Blocks blocks, int root) {
        if (team.rank() != root) {
            return Blocks.NONE;
        }
        if (blocks == null) {
            throw new IllegalArgumentException("the root has to say where the blocks of the ranks are");
        }
        blocks(blocks);
        return blocks;
    }

    /** There is a block for each rank. */
    void blocks(Blocks blocks) {
        if (!blocks.fits(team.size())) {
            throw new IllegalArgumentException("there must be a block for each of the " + team.size() + " ranks");
        }
    }

    /** What a rank sends to itself fits. */
    void ownBlock(Operation operation, long sent, long received) {
        if (sent != received) {
            throw new IllegalArgumentException("rank " + team.rank() + " in " + operation + " has " + sent
                    + " bytes for itself and room for " + received);
        }
    }

    /** A buffer that this rank needs. */
    static Object given(@Nullable Object buffer, Operation operation, String role) {
        if (buffer == null) {
            throw new IllegalArgumentException("the " + role + " buffer of " + operation + " is null");
        }
        return buffer;
    }
}
