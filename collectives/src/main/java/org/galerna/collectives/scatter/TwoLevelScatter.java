package org.galerna.collectives.scatter;

import java.util.Arrays;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * The root sends the blocks of each other host to its leader as one message, and the leader scatters them. On its own host it
 * scatters them itself.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelScatter implements Scatter {
    private final boolean varying;
    private final Scatter inside = new LinearScatter();

    /**
     * One of two kinds.
     *
     * @param varying whether blocks may have different lengths, of which the root tells a leader first
     */
    public TwoLevelScatter(boolean varying) {
        this.varying = varying;
    }

    @Override
    public String name() {
        return "twoLevel";
    }

    @Override
    public Restrictions restrictions() {
        return varying ? Restrictions.BLOCKING_HOSTS : Restrictions.HOSTS;
    }

    /** As if there were as many hosts as ranks on each. */
    @Override
    public Cost cost(int ranks, long bytes) {
        return new Cost(Algorithm.rounds(ranks) + Math.sqrt(ranks), (double) ranks * bytes);
    }

    @Override
    public void scatter(
            Team team,
            Object send,
            long sendOffset,
            Blocks blocks,
            Object receive,
            long receiveOffset,
            long length,
            int root) {
        HostTeams hosts = team.byHost();
        Team beside = hosts.beside();
        if (team.rank() == root) {
            sendToHosts(team, hosts, send, sendOffset, blocks);
            Blocks own = blocks.of(hosts.membersOf(hosts.host()));
            inside.scatter(beside, send, sendOffset, own, receive, receiveOffset, length, beside.rank());
            team.awaitAll();
        } else if (hosts.host() == hosts.hostOf(root)) {
            inside.scatter(beside, receive, 0, Blocks.NONE, receive, receiveOffset, length, hosts.rankBeside(root));
        } else if (beside.rank() != 0) {
            inside.scatter(beside, receive, 0, Blocks.NONE, receive, receiveOffset, length, 0);
        } else {
            passOn(team, beside, receive, receiveOffset, length, root);
        }
    }

    /** Starts a message to each other host. */
    private void sendToHosts(Team team, HostTeams hosts, Object send, long sendOffset, Blocks blocks) {
        for (int host = 0; host < hosts.number(); host++) {
            if (host == hosts.host()) {
                continue;
            }
            int[] members = hosts.membersOf(host);
            long[] lengths = new long[members.length];
            long total = 0;
            for (int member = 0; member < lengths.length; member++) {
                lengths[member] = blocks.length(members[member]);
                total += lengths[member];
            }
            if (varying && members.length > 1) {
                team.startSend(lengths, 0, (long) lengths.length * Long.BYTES, members[0]);
            }
            if (blocks.areSideBySide(members)) {
                team.startSend(send, sendOffset + blocks.offset(members[0]), total, members[0]);
            } else {
                Object packed = team.scratch(total);
                long position = 0;
                for (int member : members) {
                    team.copy(send, sendOffset + blocks.offset(member), packed, position, blocks.length(member));
                    position += blocks.length(member);
                }
                team.startSend(packed, 0, total, members[0]);
            }
        }
    }

    private void passOn(Team team, Team beside, Object receive, long receiveOffset, long length, int root) {
        if (beside.size() == 1) {
            team.receive(receive, receiveOffset, length, root);
            return;
        }
        long[] lengths = new long[beside.size()];
        if (varying) {
            team.receive(lengths, 0, (long) lengths.length * Long.BYTES, root);
        } else {
            Arrays.fill(lengths, length);
        }
        long[] offsets = new long[lengths.length];
        for (int member = 1; member < lengths.length; member++) {
            offsets[member] = offsets[member - 1] + lengths[member - 1];
        }
        long total = offsets[lengths.length - 1] + lengths[lengths.length - 1];
        Object arrived = team.scratch(total);
        team.receive(arrived, 0, total, root);
        team.copy(arrived, 0, receive, receiveOffset, length);
        inside.scatter(beside, arrived, 0, Blocks.of(lengths, offsets), receive, receiveOffset, length, 0);
    }
}
