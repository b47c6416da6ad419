package org.galerna.collectives.barrier;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * Arrivals go up a tree on each host to its leader, the leaders meet by dissemination, and each lets its host go.
 * Between h hosts there are h ⌈log₂ h⌉ messages, whatever the number of ranks.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelBarrier implements Barrier {
    private final DisseminationBarrier between = new DisseminationBarrier();

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.HOSTS;
    }

    /** As if half of the rounds were between hosts. */
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(1.5 * Algorithm.rounds(ranks), 0);
    }

    @Override
    public void barrier(Team team) {
        HostTeams hosts = team.byHost();
        TreeBarrier.arrive(hosts.beside());
        Team leaders = hosts.leaders();
        if (leaders != null) {
            between.barrier(leaders);
        }
        TreeBarrier.release(hosts.beside());
    }
}
