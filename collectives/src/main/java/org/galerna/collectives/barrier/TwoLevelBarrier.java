package org.galerna.collectives.barrier;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape.Groups;

/**
 * Arrivals go up a tree on each host to its leader, the leaders meet by dissemination, and each lets its host go.
 * Between h hosts there are h ⌈log₂ h⌉ messages, whatever the number of ranks. On a host with processes of
 * several ranks, or whose ranks are on several packages, the tree goes by these, so that there are three levels.
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
        arrive(hosts.beside());
        Team leaders = hosts.leaders();
        if (leaders != null) {
            between.barrier(leaders);
        }
        release(hosts.beside());
    }

    private static void arrive(Team team) {
        if (team.shape().groups() == Groups.NONE) {
            TreeBarrier.arrive(team);
            return;
        }
        HostTeams parts = team.byHost();
        arrive(parts.beside());
        Team leaders = parts.leaders();
        if (leaders != null) {
            TreeBarrier.arrive(leaders);
        }
    }

    private static void release(Team team) {
        if (team.shape().groups() == Groups.NONE) {
            TreeBarrier.release(team);
            return;
        }
        HostTeams parts = team.byHost();
        Team leaders = parts.leaders();
        if (leaders != null) {
            TreeBarrier.release(leaders);
        }
        release(parts.beside());
    }
}
