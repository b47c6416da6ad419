package org.galerna.collectives.broadcast;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape.Groups;

/**
 * From the root to one leader per host, and from each inside its host: a short message gets to each other host once. If
 * the root leads its host, that one is served last, otherwise first, so that its leader has the message. Likewise by heaps,
 * see {@link HostTeams}; ranks that share one read each other's memory. Inside a host that has several heaps it goes by
 * these, so that there are three levels.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelBroadcast implements Broadcast {
    /** Bytes from which on messages go in pieces, and ranks from which on they are scattered, as in the flat table. */
    private static final long LONG = 1 << 20;

    private static final int MANY = 8;

    private final Broadcast binomial = new BinomialBroadcast();
    private final Broadcast chain = new ChainBroadcast();
    private final Broadcast scatterAllgather = new ScatterAllgatherBroadcast();
    private final SlotBroadcast slots = new SlotBroadcast();
    private final Broadcast direct = new DirectBroadcast();

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.HEAPS;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        // two trees have at most one more round than one
        double rounds = Algorithm.rounds(ranks) + 1.0;
        return new Cost(rounds, rounds * bytes);
    }

    @Override
    public void broadcast(Team team, Object buffer, long offset, long length, int root) {
        HostTeams hosts = team.byHost();
        int rootBeside = hosts.rankBeside(root);
        boolean hostFirst = rootBeside != 0 && hosts.host() == hosts.hostOf(root);
        if (hostFirst) {
            level(hosts.beside(), buffer, offset, length, rootBeside);
        }
        Team leaders = hosts.leaders();
        if (leaders != null) {
            level(leaders, buffer, offset, length, hosts.hostOf(root));
        }
        if (!hostFirst) {
            level(hosts.beside(), buffer, offset, length, 0);
        }
    }

    /** One of the two levels, which may have levels of its own. */
    private void level(Team team, Object buffer, long offset, long length, int root) {
        if (team.shape().groups() != Groups.NONE) {
            broadcast(team, buffer, offset, length, root);
        } else if (team.size() > 1) {
            Broadcast algorithm =
                    team.shape().oneHeap() ? onHeap(team.size(), length) : byMessages(team.size(), length);
            algorithm.broadcast(team, buffer, offset, length, root);
        }
    }

    private Broadcast onHeap(int size, long length) {
        return length <= slots.largest(size) ? slots : direct;
    }

    private Broadcast byMessages(int size, long length) {
        if (length < LONG || size == 2) {
            return binomial;
        }
        return size < MANY ? chain : scatterAllgather;
    }

    /** Broadcasts from the leader of each host to the members on it, for collectives that end in this way. */
    public void insideHosts(HostTeams hosts, Object buffer, long offset, long length) {
        level(hosts.beside(), buffer, offset, length, 0);
    }
}
