package org.galerna.collectives.reducescatter;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduce.TwoLevelReduce;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.scatter.LinearScatter;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * A reduction inside each host on its leader, a reduce-scatter of the leaders that gives each the part of its host, and a
 * scatter inside each host. The ranks of a host need not follow each other, so the order is not kept.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelReduceScatter implements ReduceScatter {
    /** Bytes from which on parts are exchanged in pairs, as in the flat table. */
    private static final long LONG = 256 << 10;

    private final TwoLevelReduce reduce = new TwoLevelReduce();
    private final ReduceScatter halving = new RecursiveHalvingReduceScatter();
    private final ReduceScatter pairwise = new PairwiseReduceScatter();
    private final Scatter scatter = new LinearScatter();

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE_HOSTS;
    }

    /** As if half of the rounds were between hosts. */
    @Override
    public Cost cost(int ranks, long bytes) {
        double rounds = Algorithm.rounds(ranks);
        return new Cost(1.5 * rounds, (1 + rounds / 2) * bytes, (1 + rounds / 2) * bytes);
    }

    @Override
    public void reduceScatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            Reduction reduction) {
        HostTeams hosts = team.byHost();
        Team beside = hosts.beside();
        Team leaders = hosts.leaders();
        long total = blocks.total(team.size());
        int count = (int) (total / reduction.elementSize());
        long own = blocks.length(team.rank());
        if (leaders == null) {
            reduce.insideHosts(hosts, send, sendOffset, receive, receiveOffset, count, reduction);
            scatter.scatter(beside, receive, 0, Blocks.NONE, receive, receiveOffset, own, 0);
            return;
        }
        Object combined = send;
        long combinedOffset = sendOffset;
        if (beside.size() > 1) {
            combined = team.scratch(reduction, count);
            combinedOffset = 0;
            reduce.insideHosts(hosts, send, sendOffset, combined, 0, count, reduction);
        }
        // no look at each rank: the parts of a host are where the rank after its last one begins
        boolean inOrder = blocks.arePacked() && hosts.areInOrder();
        Blocks ofHosts = inOrder ? ofHostsInOrder(hosts, blocks) : ofHosts(hosts, blocks);
        if (!inOrder && !isInOrder(hosts, ofHosts, blocks)) {
            Object ordered = team.scratch(reduction, count);
            for (int host = 0; host < hosts.number(); host++) {
                long position = ofHosts.offset(host);
                for (int member : hosts.membersOf(host)) {
                    team.copy(
                            combined, combinedOffset + blocks.offset(member), ordered, position, blocks.length(member));
                    position += blocks.length(member);
                }
            }
            combined = ordered;
            combinedOffset = 0;
        }
        ReduceScatter between = total < LONG ? halving : pairwise;
        if (beside.size() == 1) {
            between.reduceScatter(leaders, combined, combinedOffset, ofHosts, receive, receiveOffset, reduction);
            return;
        }
        long length = ofHosts.length(hosts.host());
        Object part = team.scratch(reduction, (int) (length / reduction.elementSize()));
        between.reduceScatter(leaders, combined, combinedOffset, ofHosts, part, 0, reduction);
        Blocks parts = partsOf(hosts.membersOf(hosts.host()), blocks);
        team.copy(part, 0, receive, receiveOffset, own);
        scatter.scatter(beside, part, 0, parts, receive, receiveOffset, own, 0);
    }

    /** What the ranks of each host get together, by host, where the parts of each follow those of the host before. */
    private static Blocks ofHostsInOrder(HostTeams hosts, Blocks blocks) {
        long[] lengths = new long[hosts.number()];
        long[] offsets = new long[lengths.length];
        for (int host = 0; host < lengths.length; host++) {
            int[] members = hosts.membersOf(host);
            offsets[host] = blocks.offset(members[0]);
            lengths[host] = blocks.total(members[members.length - 1] + 1) - offsets[host];
        }
        return Blocks.of(lengths, offsets);
    }

    /** What the ranks of each host get together, by host. */
    private static Blocks ofHosts(HostTeams hosts, Blocks blocks) {
        long[] lengths = new long[hosts.number()];
        long[] offsets = new long[hosts.number()];
        long offset = 0;
        for (int host = 0; host < lengths.length; host++) {
            for (int member : hosts.membersOf(host)) {
                lengths[host] += blocks.length(member);
            }
            offsets[host] = offset;
            offset += lengths[host];
        }
        return Blocks.of(lengths, offsets);
    }

    /** Whether the parts of each host lie where they are wanted: side by side, and after those of the host before. */
    private static boolean isInOrder(HostTeams hosts, Blocks ofHosts, Blocks blocks) {
        for (int host = 0; host < hosts.number(); host++) {
            int[] members = hosts.membersOf(host);
            if (blocks.offset(members[0]) != ofHosts.offset(host) || !blocks.areSideBySide(members)) {
                return false;
            }
        }
        return true;
    }

    /** The parts of the ranks of a host when they lie side by side. */
    private static Blocks partsOf(int[] members, Blocks blocks) {
        long[] lengths = new long[members.length];
        long[] offsets = new long[members.length];
        for (int member = 0; member < members.length; member++) {
            lengths[member] = blocks.length(members[member]);
            offsets[member] = member == 0 ? 0 : offsets[member - 1] + lengths[member - 1];
        }
        return Blocks.of(lengths, offsets);
    }
}
