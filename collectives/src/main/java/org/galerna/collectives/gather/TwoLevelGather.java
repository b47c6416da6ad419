package org.galerna.collectives.gather;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.HostTeams;
import org.galerna.collectives.team.Team;

/**
 * The blocks of each host are gathered on its leader, side by side, which sends them to the root as one message. On the host
 * of the root they go to the root itself.
 *
 * <p>Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan: "Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance", IPDPS 2000.
 */
public final class TwoLevelGather implements Gather {
    private final boolean varying;
    private final Gather inside = new LinearGather();

    /**
     * One of two kinds.
     *
     * @param varying whether blocks may have different lengths, of which a leader is told first
     */
    public TwoLevelGather(boolean varying) {
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
    public void gather(
            Team team,
            Object send,
            long sendOffset,
            long length,
            Object receive,
            long receiveOffset,
            Blocks blocks,
            int root) {
        HostTeams hosts = team.byHost();
        if (team.rank() == root) {
            collect(team, hosts, receive, receiveOffset, blocks);
        } else if (hosts.host() == hosts.hostOf(root)) {
            inside.gather(hosts.beside(), send, sendOffset, length, send, 0, Blocks.NONE, hosts.rankBeside(root));
        } else {
            passOn(team, hosts, send, sendOffset, length, root);
        }
    }

    private void passOn(Team team, HostTeams hosts, Object send, long sendOffset, long length, int root) {
        Team beside = hosts.beside();
        if (beside.rank() != 0) {
            if (varying) {
                beside.send(new long[] {length}, 0, Long.BYTES, 0);
            }
            inside.gather(beside, send, sendOffset, length, send, 0, Blocks.NONE, 0);
            return;
        }
        if (beside.size() == 1) {
            team.send(send, sendOffset, length, root);
            return;
        }
        long[] lengths = new long[beside.size()];
        lengths[0] = length;
        for (int member = 1; member < lengths.length; member++) {
            if (varying) {
                beside.startReceive(lengths, (long) member * Long.BYTES, Long.BYTES, member);
            } else {
                lengths[member] = length;
            }
        }
        beside.awaitAll();
        long[] offsets = new long[lengths.length];
        for (int member = 1; member < lengths.length; member++) {
            offsets[member] = offsets[member - 1] + lengths[member - 1];
        }
        long total = offsets[lengths.length - 1] + lengths[lengths.length - 1];
        Object collected = team.scratch(total);
        team.copy(send, sendOffset, collected, 0, length);
        inside.gather(beside, collected, 0, length, collected, 0, Blocks.of(lengths, offsets), 0);
        team.send(collected, 0, total, root);
    }

    private void collect(Team team, HostTeams hosts, Object receive, long receiveOffset, Blocks blocks) {
        Object[] arrived = new Object[hosts.number()];
        for (int host = 0; host < hosts.number(); host++) {
            if (host != hosts.host()) {
                int[] members = hosts.membersOf(host);
                long bytes = 0;
                for (int member : members) {
                    bytes += blocks.length(member);
                }
                if (blocks.areSideBySide(members)) {
                    team.startReceive(receive, receiveOffset + blocks.offset(members[0]), bytes, members[0]);
                } else {
                    Object scattered = team.scratch(bytes);
                    arrived[host] = scattered;
                    team.startReceive(scattered, 0, bytes, members[0]);
                }
            }
        }
        int[] beside = hosts.membersOf(hosts.host());
        inside.gather(
                hosts.beside(),
                receive,
                0,
                0,
                receive,
                receiveOffset,
                blocks.of(beside),
                hosts.beside().rank());
        team.awaitAll();
        for (int host = 0; host < hosts.number(); host++) {
            long position = 0;
            for (int member : hosts.membersOf(host)) {
                if (arrived[host] != null) {
                    team.copy(
                            arrived[host],
                            position,
                            receive,
                            receiveOffset + blocks.offset(member),
                            blocks.length(member));
                    position += blocks.length(member);
                }
            }
        }
    }
}
