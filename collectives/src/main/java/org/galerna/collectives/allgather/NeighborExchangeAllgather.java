package org.galerna.collectives.allgather;

import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.team.Team;

/**
 * Ranks form pairs of an even one and the odd one above it, and exchange blocks with their partner and with their other
 * neighbour by turns: first the blocks of their own, then in each step both blocks of the pair that came in the step
 * before. Half as many steps as on a ring, all between neighbours. With an odd number of ranks it is the
 * {@linkplain RingAllgather ring}.
 *
 * <p>Chen, Zhang, Zhang, Zhang, Sun: "Performance evaluation of allgather algorithms on terascale Linux cluster with
 * Fast Ethernet", HPC Asia 2005.
 */
public final class NeighborExchangeAllgather implements Allgather {
    private final RingAllgather ring = new RingAllgather();

    @Override
    public String name() {
        return "neighborExchange";
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        return ranks % 2 == 1 ? ring.cost(ranks, bytes) : new Cost(ranks / 2.0, (ranks - 1.0) / ranks * bytes);
    }

    @Override
    public void allgather(Team team, Object own, long ownOffset, Object buffer, long offset, Blocks blocks) {
        int size = team.size();
        if (size % 2 == 1) {
            ring.allgather(team, own, ownOffset, buffer, offset, blocks);
            return;
        }
        int rank = team.rank();
        int partner = rank ^ 1;
        team.exchange(
                buffer,
                offset + blocks.offset(rank),
                blocks.length(rank),
                partner,
                buffer,
                offset + blocks.offset(partner),
                blocks.length(partner),
                partner);

        // an even rank's other neighbour is below it, and so are the pairs that come from there
        int aside = rank % 2 == 0 ? -1 : 1;
        int neighbour = (rank + aside + size) % size;
        int pairs = size / 2;
        int pair = rank / 2;
        int outgoing = pair;
        for (int step = 1; step < pairs; step++) {
            boolean outside = step % 2 == 1;
            int incoming = Math.floorMod(outside ? pair + aside * (step + 1) / 2 : pair - aside * step / 2, pairs);
            exchangePairs(team, buffer, offset, blocks, outside ? neighbour : partner, outgoing, incoming);
            outgoing = incoming;
        }
    }

    private static void exchangePairs(
            Team team, Object buffer, long offset, Blocks blocks, int peer, int outgoing, int incoming) {
        for (int block = 2 * incoming; block < 2 * incoming + 2; block++) {
            team.startReceive(buffer, offset + blocks.offset(block), blocks.length(block), peer);
        }
        for (int block = 2 * outgoing; block < 2 * outgoing + 2; block++) {
            team.startSend(buffer, offset + blocks.offset(block), blocks.length(block), peer);
        }
        team.awaitAll();
    }
}
