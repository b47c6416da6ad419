package org.galerna.collectives.barrier;

import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.team.Team;

/**
 * Every rank says on the common heap that it has come, and looks for the others: a flag for each, or, with many ranks,
 * one counter. The flags are numbers that only grow, so that nothing is reset and nobody has to come back.
 */
public final class FlagBarrier implements Barrier {
    @Override
    public String name() {
        return "flags";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.SHARED_HEAP;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(ranks - 1, 0);
    }

    @Override
    public void barrier(Team team) {
        team.seat().meet();
    }
}
