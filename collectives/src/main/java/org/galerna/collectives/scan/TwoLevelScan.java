package org.galerna.collectives.scan;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.broadcast.TwoLevelBroadcast;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * A scan inside each host, an exclusive scan of what whole hosts have between their leaders, and a broadcast of that inside
 * each host, with which every rank combines its own. It keeps the order of the ranks, and so needs hosts whose ranks follow
 * each other; otherwise a flat scan takes its place, on all ranks alike.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelScan implements Scan {
    private final Scan flat = new RecursiveDoublingScan();
    private final TwoLevelBroadcast broadcast = new TwoLevelBroadcast();

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
        double rounds = 1.5 * Algorithm.rounds(ranks) + 1;
        return new Cost(rounds, rounds * bytes, rounds * bytes);
    }

    @Override
    public void scan(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            boolean exclusive) {
        HostTeams hosts = team.byHost();
        if (!hosts.areInOrder()) {
            flat.scan(team, send, sendOffset, receive, receiveOffset, count, reduction, exclusive);
            return;
        }
        Team beside = hosts.beside();
        Team leaders = hosts.leaders();
        long bytes = (long) count * reduction.elementSize();
        Object total = team.scratch(reduction, count); // of this rank and those below it on the host
        team.copy(send, sendOffset, total, 0, bytes);
        if (beside.size() > 1) {
            flat.scan(beside, total, 0, total, 0, count, reduction, false);
        }
        boolean isLast = beside.rank() == beside.size() - 1;
        Object before = team.scratch(reduction, count); // of all hosts below
        if (leaders != null) {
            Object whole = total;
            if (!isLast) {
                whole = team.scratch(reduction, count);
                beside.receive(whole, 0, bytes, beside.size() - 1);
            }
            flat.scan(leaders, whole, 0, before, 0, count, reduction, true);
        } else if (isLast) {
            beside.send(total, 0, bytes, 0);
        }
        if (hosts.host() > 0) {
            broadcast.insideHosts(hosts, before, 0, bytes);
        }
        if (exclusive) {
            leaveOut(hosts, total, before, receive, receiveOffset, count, reduction);
        } else {
            if (hosts.host() > 0) {
                reduction.apply(before, 0, total, 0, count);
            }
            team.copy(total, 0, receive, receiveOffset, bytes);
        }
    }

    /** The result is that of the rank before this one. */
    private static void leaveOut(
            HostTeams hosts,
            Object total,
            Object before,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        Team beside = hosts.beside();
        long bytes = (long) count * reduction.elementSize();
        int rank = beside.rank();
        if (rank + 1 < beside.size()) {
            beside.startSend(total, 0, bytes, rank + 1);
        }
        if (rank > 0) {
            beside.receive(receive, receiveOffset, bytes, rank - 1);
            if (hosts.host() > 0) {
                reduction.apply(before, 0, receive, receiveOffset, count);
            }
        } else if (hosts.host() > 0) {
            beside.copy(before, 0, receive, receiveOffset, bytes);
        }
        beside.awaitAll();
    }
}
