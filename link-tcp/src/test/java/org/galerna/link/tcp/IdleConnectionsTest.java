package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What connections hold that carry nothing. */
class IdleConnectionsTest {
    private static final int RANKS = 12;
    private static final int[] LENGTHS = {8, 5000};

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void ringsOfConnectionsThatFallSilentAreGivenBackAndTakenAgain(String link) {
        List<InProcessWireup> job = TestJobs.of(RANKS);
        AtomicInteger silent = new AtomicInteger();
        RankThreads.run(RANKS, me -> {
            try (LinkRank rank = LinkRank.open(LinkProvider.named(link), job.get(me), LinkOptions.DEFAULT)) {
                rank.wireup().fence();
                LinkState own = LinkState.of(rank.link());
                for (int round = 1; round <= 2; round++) {
                    exchange(rank);
                    if (rank.rank() == 0) {
                        assertThat(own.connections()).isEqualTo(RANKS - 1);
                        rank.pollUntil("rings are given back", () -> own.rings() == 0);
                        silent.incrementAndGet();
                    }
                    int rounds = round;
                    rank.pollUntil("rank 0 has no ring", () -> silent.get() >= rounds);
                }
            }
        });
    }

    private static void exchange(LinkRank rank) {
        for (int peer = 1; peer < RANKS; peer++) {
            for (int length : LENGTHS) {
                if (rank.rank() == 0) {
                    rank.send(peer, length, peer);
                    rank.expect(peer, length, peer + 100);
                } else if (rank.rank() == peer) {
                    rank.expect(0, length, peer);
                    rank.send(0, length, peer + 100);
                }
            }
        }
    }
}
