package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.broadcast.TwoLevelBroadcast;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.gather.LinearGather;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * The blocks of each host are gathered on its leader, side by side; the leaders exchange those of whole hosts, and each
 * broadcasts everything inside its host. Each rank then copies the blocks to where they belong.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelAllgather implements Allgather {
    /** Bytes of all ranks from which on blocks go around a ring, as in the flat table. */
    private static final long LONG = 64 << 10;

    private final Gather gather = new LinearGather();
    private final Allgather bruck = new BruckAllgather();
    private final Allgather ring = new RingAllgather();
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
        double rounds = Algorithm.rounds(ranks);
        return new Cost(1.5 * rounds, (2 + rounds / 2) * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        HostTeams hosts = team.byHost();
        int size = team.size();
        int rank = team.rank();
        Blocks ofHosts = blocksOfHosts(hosts, blocks);
        // where blocks lie side by side and the ranks of each host follow each other, nothing changes its place
        boolean inPlace = blocks.isUniform() && hosts.areInOrder();
        Blocks positions = inPlace ? blocks : positions(hosts, ofHosts, blocks, size);
        long total = blocks.total(size);
        Object collected = team.scratch(total);
        Team beside = hosts.beside();
        Team leaders = hosts.leaders();
        if (leaders == null) {
            gather.gather(beside, own, ownOffset, blocks.length(rank), collected, 0, Blocks.NONE, 0);
        } else {
            long position = positions.offset(rank);
            team.copy(own, ownOffset, collected, position, blocks.length(rank));
            Blocks inside = positions.of(hosts.membersOf(hosts.host()));
            gather.gather(beside, collected, position, blocks.length(rank), collected, 0, inside, 0);
            Allgather between = total < LONG ? bruck : ring;
            between.allgather(leaders, collected, ofHosts.offset(hosts.host()), collected, 0, ofHosts);
        }
        broadcast.insideHosts(hosts, collected, 0, total);
        if (inPlace) {
            long above = blocks.offset(rank + 1);
            team.copy(collected, 0, buffer, offset, blocks.offset(rank));
            team.copy(collected, above, buffer, offset + above, total - above);
            return;
        }
        for (int member = 0; member < size; member++) {
            if (member != rank) {
                long position = positions.offset(member);
                team.copy(collected, position, buffer, offset + blocks.offset(member), blocks.length(member));
            }
        }
    }

    /** Where the blocks of each host are when they lie side by side, by host. */
    private static Blocks blocksOfHosts(HostTeams hosts, Blocks blocks) {
        long[] lengths = new long[hosts.number()];
        long[] offsets = new long[lengths.length];
        long offset = 0;
        for (int host = 0; host < lengths.length; host++) {
            lengths[host] = blocks.total(hosts.membersOf(host));
            offsets[host] = offset;
            offset += lengths[host];
        }
        return Blocks.of(lengths, offsets);
    }

    /** The block of each member among them, in the order of the ranks on each host. */
    private static Blocks positions(HostTeams hosts, Blocks ofHosts, Blocks blocks, int size) {
        long[] ends = new long[hosts.number()];
        long[] lengths = new long[size];
        long[] positions = new long[size];
        for (int member = 0; member < size; member++) {
            int host = hosts.hostOf(member);
            lengths[member] = blocks.length(member);
            positions[member] = ofHosts.offset(host) + ends[host];
            ends[host] += lengths[member];
        }
        return Blocks.of(lengths, positions);
    }
}
