package org.galerna.collectives.alltoall;

import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Each rank of a host speaks for it to some of the other hosts: on a host of L ranks the one with rank h modulo L to host h.
 * First every rank gives each neighbour the blocks for the hosts of that one, then one message goes from host to host,
 * then every rank gives its neighbours what it has received for them. Between hosts a rank sends one message for each host
 * that it speaks to, in place of one for each other rank, so that no full mesh of connections is needed. Blocks are copied
 * four times.
 *
 * <p>After the aggregation of messages on nodes in Bienz, Gropp, Olson: "Reducing communication in algebraic multigrid with
 * multi-step node aware communication", IJHPCA 34 (2020).
 */
public final class TwoLevelAlltoall implements Alltoall {
    private final boolean varying;

    /**
     * One of two kinds.
     *
     * @param varying whether blocks may have different lengths, which ranks then tell each other
     */
    public TwoLevelAlltoall(boolean varying) {
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
        double beside = Math.sqrt(ranks);
        return new Cost(3 * beside, 3.0 * ranks * bytes);
    }

    @Override
    public void alltoall(
            Team team,
            Object send,
            long sendOffset,
            Blocks sendBlocks,
            Object receive,
            long receiveOffset,
            Blocks receiveBlocks) {
        Speakers speakers = new Speakers(team, team.byHost());
        if (varying) {
            new VaryingExchange(team, speakers, sendBlocks, receiveBlocks)
                    .run(send, sendOffset, receive, receiveOffset);
        } else {
            new EvenExchange(team, speakers, sendBlocks.length(team.rank()))
                    .run(send, sendOffset, receive, receiveOffset);
        }
    }
}
