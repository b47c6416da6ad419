package org.galerna.collectives.reduce;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape.Groups;

/**
 * Inside each host on its leader, among the leaders on the one of the root's host, and from there to the root: each
 * other host sends one vector, the combination of its own. The ranks of a host need not follow each other, so the order
 * is not kept. Inside a host that has several heaps it goes by these, so that there are three levels.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelReduce implements Reduce {
    /** Bytes from which on vectors are reduced in parts, as in the flat table. */
    private static final long LONG = 256 << 10;

    private final Reduce binomial = new BinomialReduce();
    private final Reduce rabenseifner = new RabenseifnerReduce();
    private final SlotReduce slots = new SlotReduce();
    private final Reduce direct = new DirectReduce();

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE_HOSTS;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        // two trees have at most one more round than one; the last message may go from a leader to the root
        double rounds = Algorithm.rounds(ranks) + 1.0;
        return new Cost(rounds + 1, (rounds + 1) * bytes, rounds * bytes);
    }

    @Override
    public void reduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        HostTeams hosts = team.byHost();
        Team beside = hosts.beside();
        Team leaders = hosts.leaders();
        int rootBeside = hosts.rankBeside(root);
        long bytes = (long) count * reduction.elementSize();
        if (leaders == null) {
            insideHosts(hosts, send, sendOffset, receive, receiveOffset, count, reduction);
            if (team.rank() == root) {
                beside.receive(receive, receiveOffset, bytes, 0);
            }
            return;
        }
        boolean isRoot = team.rank() == root;
        Object result = isRoot ? receive : team.scratch(reduction, count);
        long resultOffset = isRoot ? receiveOffset : 0;
        boolean alone = beside.size() == 1;
        insideHosts(hosts, send, sendOffset, result, resultOffset, count, reduction);
        Object part = alone ? send : result;
        long partOffset = alone ? sendOffset : resultOffset;
        level(leaders, part, partOffset, result, resultOffset, count, reduction, hosts.hostOf(root));
        if (rootBeside != 0 && hosts.host() == hosts.hostOf(root)) {
            beside.send(result, resultOffset, bytes, rootBeside);
        }
    }

    /**
     * Combines the vectors of each host on its leader, for collectives that begin in this way; does nothing for a rank
     * that is alone on its host.
     *
     * @param receive used on leaders only, where it may be the very place of {@code send}
     */
    public void insideHosts(
            HostTeams hosts,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        if (hosts.beside().size() > 1) {
            level(hosts.beside(), send, sendOffset, receive, receiveOffset, count, reduction, 0);
        }
    }

    /** One of the two levels, which may have levels of its own. */
    private void level(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            int root) {
        if (team.shape().groups() != Groups.NONE) {
            reduce(team, send, sendOffset, receive, receiveOffset, count, reduction, root);
            return;
        }
        long bytes = (long) count * reduction.elementSize();
        Reduce algorithm = team.shape().oneHeap() ? onHeap(team.size(), bytes) : byMessages(bytes);
        algorithm.reduce(team, send, sendOffset, receive, receiveOffset, count, reduction, root);
    }

    private Reduce onHeap(int size, long bytes) {
        return bytes <= slots.largest(size) ? slots : direct;
    }

    private Reduce byMessages(long bytes) {
        return bytes < LONG ? binomial : rabenseifner;
    }
}
