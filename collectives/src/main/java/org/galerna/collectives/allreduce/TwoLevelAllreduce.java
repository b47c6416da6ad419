package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.broadcast.TwoLevelBroadcast;
import org.galerna.collectives.reduce.TwoLevelReduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * A reduction inside each host on its leader, an allreduce of the leaders, and a broadcast inside each host: only one
 * rank of a host talks to others. The ranks of a host need not follow each other, so the order is not kept. Likewise by
 * heaps, see {@link HostTeams}.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelAllreduce implements Allreduce {
    /** Bytes from which on vectors are reduced in parts, as in the flat table. */
    private static final long LONG = 32 << 10;

    private final TwoLevelReduce reduce = new TwoLevelReduce();
    private final Allreduce recursiveDoubling = new RecursiveDoublingAllreduce();
    private final Allreduce rabenseifner = new RabenseifnerAllreduce();
    private final TwoLevelBroadcast broadcast = new TwoLevelBroadcast();

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE_HEAPS;
    }

    /** As if half of the rounds were between hosts; those inside are passed twice. */
    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(1.5 * rounds, 1.5 * rounds * bytes, rounds * bytes);
    }

    @Override
    public void allreduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        HostTeams hosts = team.byHost();
        long bytes = (long) count * reduction.elementSize();
        reduce.insideHosts(hosts, send, sendOffset, receive, receiveOffset, count, reduction);
        Team leaders = hosts.leaders();
        if (leaders != null) {
            boolean alone = hosts.beside().size() == 1;
            Object part = alone ? send : receive;
            long partOffset = alone ? sendOffset : receiveOffset;
            Allreduce between = bytes < LONG ? recursiveDoubling : rabenseifner;
            between.allreduce(leaders, part, partOffset, receive, receiveOffset, count, reduction);
        }
        broadcast.insideHosts(hosts, receive, receiveOffset, bytes);
    }
}
